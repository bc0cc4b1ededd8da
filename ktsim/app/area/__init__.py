"""The area view: what somebody sees, or where one is safe, painted on the table."""
