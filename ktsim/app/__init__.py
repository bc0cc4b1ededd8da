"""The Panda3D desktop. Only here may panda3d, direct or imgui_bundle be imported."""
