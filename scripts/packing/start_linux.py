# The beginning of the program that Panda3D's deploy-stub becomes. Whatever is imported here is frozen into it, so that
# nothing but sys and posix is.
import posix
import sys

sys.executable = posix.readlink("/proc/self/exe")
if sys.getfilesystemencoding() != "utf-8" and posix.environ.get(b"LC_ALL") != b"C.UTF-8":
    # As Python itself does in a locale that knows no letters: begin again in one that knows all.
    posix.execve(sys.executable, sys.argv, {**posix.environ, b"LC_ALL": b"C.UTF-8"})
_inside = sys.executable.rpartition("/")[0] + "/lib/"
sys.path[:] = [_inside + "python", _inside + "python/lib-dynload", _inside + "packages"]
# What is frozen in was only for coming this far; from here on everything is found in the folder.
sys.meta_path[:] = [each for each in sys.meta_path if getattr(each, "__name__", "") != "FrozenImporter"]
sys.modules["encodings"].__path__ = [_inside + "python/encodings"]
sys.prefix = sys.exec_prefix = _inside + "python"
sys.frozen = True
sys.dont_write_bytecode = True
__import__("ktsim.__main__")
