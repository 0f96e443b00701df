"""The pages of alerts: the inbox, one with its story, the rules, and where messages go."""
