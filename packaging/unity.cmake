# HiGHS is compiled from eight of its files at a time: the headers that all of them take in are read once for the eight, which
# halves the time. `.cargo/config.toml` names this file to cmake.
set(CMAKE_UNITY_BUILD ON)
