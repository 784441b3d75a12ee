"""Public: pictures of a view, and a view as one page of HTML that answers by itself, without a server or a network."""
