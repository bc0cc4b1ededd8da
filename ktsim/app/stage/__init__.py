"""The table as a picture: an offscreen or windowed Panda3D stage that is drawn only when something changed."""
