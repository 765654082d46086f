"""What every page is made with: visits, forms, limits, settings, languages."""
