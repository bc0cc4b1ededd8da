"""A ruling as it is shown: plain data, marks over the table, the side view, and the whole card as a picture; knows the
stage and the pen, no screen."""
