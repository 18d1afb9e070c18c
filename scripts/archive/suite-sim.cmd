@echo off
"%~dp0node.exe" "%~dp0app\dist\main.js" %*
