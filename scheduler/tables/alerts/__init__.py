"""Alerts in words: lines of the inbox, one alert's story, the rules, where messages go."""
