"""Who somebody is: guests, accounts, passkeys, sessions, preferences."""
