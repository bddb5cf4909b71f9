"""Calls two operations with the generated client: python use.py URL KEY."""

import sys

from generated import AuthenticatedClient
from generated.api.search import search_post
from generated.api.sources import sources_list
from generated.models import SearchBody, SearchResponseView

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)
sources = sources_list.sync(client=client)
print("sources:", [source.name for source in sources.sources])
answer = search_post.sync(client=client, body=SearchBody(query="total_price of a cart"))
if not isinstance(answer, SearchResponseView):
    sys.exit(f"Not a search response: {answer}")
citation = answer.results[0].citation
print("citation:", f"{citation.path}:{citation.start_line}-{citation.end_line}")
