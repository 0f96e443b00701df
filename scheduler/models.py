"""Nothing yet: recommendations, alert episodes and deliveries live here."""
