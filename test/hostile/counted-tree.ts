import type { HtmlElement, HtmlNode, HtmlTree } from '#ingest/html/html-tree';

/**
 * A page whose reads are counted: one for a node, the length of its value for an attribute. What is
 * left uncounted works on text that was read, and only once.
 */
export class CountedTree {
  reads = 0;
  readonly tree: HtmlTree;

  constructor({ nodes, title }: HtmlTree) {
    const counted = nodes.map((node) => (typeof node === 'string' ? node : this.counting(node)));
    this.tree = {
      title,
      nodes: new Proxy(counted, { get: (target, at) => this.read(target, at) }),
    };
  }

  private counting(element: HtmlElement): HtmlElement {
    const attributes = new Proxy(element.attributes, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as string | undefined;
        this.reads += value?.length ?? 0;
        return value;
      },
    });
    return { ...element, attributes };
  }

  private read(nodes: readonly HtmlNode[], at: string | symbol): unknown {
    this.reads += 1;
    return Reflect.get(nodes, at);
  }
}
