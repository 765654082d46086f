"""The identity of people: guests, accounts, passkeys, sessions, preferences."""
