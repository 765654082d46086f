"""Web Push: messages to browsers that are closed, by the push services of their makers."""
