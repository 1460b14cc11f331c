# HiGHS is compiled from 24 of its files at a time: the headers that all of them take in are read once for the 24, which
# halves the time. `.cargo/config.toml` names this file to cmake.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
