# python set_icon.py PROGRAM ICO, on Windows: writes the pictures of an icon into the resources of a program.
import struct
import sys
from ctypes import WinError, windll, wintypes

ICON, GROUP, LANGUAGE = 3, 14, 0
NAME = 101  # of the icon that the launchers have, which is replaced

program, picture = sys.argv[1:]
with open(picture, "rb") as file:
    ico = file.read()
kernel = windll.kernel32
kernel.BeginUpdateResourceW.restype = wintypes.HANDLE
kernel.UpdateResourceW.argtypes = [
    wintypes.HANDLE, wintypes.LPVOID, wintypes.LPVOID, wintypes.WORD, wintypes.LPVOID, wintypes.DWORD,
]  # fmt: skip
kernel.EndUpdateResourceW.argtypes = [wintypes.HANDLE, wintypes.BOOL]
handle = kernel.BeginUpdateResourceW(program, False)
group = ico[:6]
for number in range(struct.unpack("<H", ico[4:6])[0]):
    entry = ico[6 + 16 * number : 22 + 16 * number]
    size, at = struct.unpack("<II", entry[8:])
    if not kernel.UpdateResourceW(handle, ICON, number + 1, LANGUAGE, ico[at : at + size], size):
        raise WinError()
    group += entry[:12] + struct.pack("<H", number + 1)
if not kernel.UpdateResourceW(handle, GROUP, NAME, LANGUAGE, group, len(group)) or not kernel.EndUpdateResourceW(
    handle, False
):
    raise WinError()
