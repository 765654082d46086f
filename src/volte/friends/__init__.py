"""Friends: who has made friends with whom, who of them is here, and invitations to tables."""
