import { describe, expect, it } from '@jest/globals';

import { isSkipped, type ParsedDocument } from '../parse/parsed-document.js';
import { parseHtml } from './parse-html.js';

function parse(html: string | Uint8Array, charset?: string): ParsedDocument {
  const bytes = typeof html === 'string' ? Buffer.from(html) : html;
  const parsed = parseHtml({
    path: 'https://docs.example/a',
    kind: 'html',
    bytes,
    ...(charset !== undefined && { charset }),
  });
  if (isSkipped(parsed)) throw new Error('a page is never skipped');
  return parsed;
}
const text = (html: string): string => parse(html).text.trimEnd();
/** Headings with the place in force at their row. */
function outline(html: string): unknown[] {
  const { headings = [], marks = [] } = parse(html);
  return headings.map(({ row, level, title }) => [
    level,
    title,
    marks.findLast((mark) => mark.row <= row)?.fragment ?? null,
  ]);
}

describe('a page of HTML', () => {
  it('is its content, without what stands around it or is not shown', () => {
    const words = 'Marmosets eat fruit and gum. '.repeat(5).trim();
    const page = `<!doctype html><title>Food - Pets</title><body>
      <header><a href=/>Pets</a></header><nav><ul><li><a href=/a>A</a></ul></nav>
      <div class="sidebar"><p>Other pages</p></div>
      <main><script>let no = 1</script><style>p{}</style><noscript>Turn it on</noscript>
      <h1>Food</h1><p>${words}</p><p hidden>hidden</p><p style="color: red; display: none">unseen</p>
      <aside>Subscribe!</aside><aside class="admonition note">Fresh water, too.</aside>
      <div role="tabpanel" hidden>On Linux</div><ul class="toc"><li><a href="#x">X</a></ul></main>
      <footer>Imprint</footer>`;
    expect(text(page)).toBe(`# Food\n\n${words}\n\nFresh water, too.\n\nOn Linux`);
  });

  it('is all there is, where nothing says what its content is', () => {
    expect(text('<p>One <b>two</b>\n three<br>four&nbsp;&amp; five<p>six')).toBe(
      'One two three\nfour & five\n\nsix',
    );
    expect(text('')).toBe('');
  });

  it('has its headings as sections, each with the place that leads to it', () => {
    const page = `<h1>Guide <a class="headerlink" href="#guide">¶</a></h1><p>a
      <section id="install"><h2><code>npm</code> install</h2><p>b</section>
      <h3>By hand</h3><p>c<a name="old"></a><h2>Old</h2><h2 id="a b">Space</h2>
      <h2>Own <a id="own" href="#own">#</a></h2><h2>Plain</h2>`;
    expect(outline(page)).toEqual([
      [1, 'Guide', '#guide'],
      [2, 'npm install', '#install'],
      [3, 'By hand', '#install'],
      [2, 'Old', '#old'],
      [2, 'Space', '#a%20b'],
      [2, 'Own', '#own'],
      [2, 'Plain', '#guide'],
    ]);
    expect(text(page)).toContain('## `npm` install\n\nb');
  });

  it('is named by its title where its headings leave that open', () => {
    expect(outline('<title>WAL</title><h1>1. Overview</h1>a<h1>2. Use</h1>b')).toEqual([
      [1, 'WAL', null],
      [2, '1. Overview', null],
      [2, '2. Use', null],
    ]);
    expect(outline('<title>Pets | Site</title><p>No heading')).toEqual([[1, 'Pets', null]]);
    const signed = '<title>Path | Docs</title><h2>Path <a href="#path" id="path">#</a></h2>';
    expect(outline(signed)).toEqual([[2, 'Path', '#path']]);
    expect(outline('<title>Food - Pets</title><h1>Meals</h1>')).toEqual([[1, 'Meals', null]]);
    expect(outline('<title>CREATE INDEX</title><h2>CREATE INDEX</h2>')).toEqual([
      [2, 'CREATE INDEX', null],
    ]);
  });

  it('has places within its sections, where it names them', () => {
    const { text: written, marks } = parse(
      '<h2 id="a">A</h2><p>one<p><a name="b"></a>two<p>three<h2 id="c">C</h2><p>four',
    );
    expect(marks?.map(({ row, fragment }) => [written.split('\n')[row], fragment])).toEqual([
      ['## A', '#a'],
      ['two', '#b'],
      ['## C', '#c'],
    ]);
  });

  it('has what definition lists define as sections of their own, which end with the list', () => {
    const page = `<h2 id="run">Running</h2><dl><dt id="m.run"><code>m.run</code>(<em>main</em>)</dt><dd><p>Runs it.
      <dl><dt id="m.run.stop">stop()<dd>Stops it.</dl></dd></dl><p>After all.`;
    expect(outline(page)).toEqual([
      [2, 'Running', '#run'],
      [3, 'm.run', '#m.run'],
      [4, 'stop', '#m.run.stop'],
      [3, null, '#run'],
    ]);
    const beside =
      '<h2>All</h2><dl><dt id=a>a()<dd>A.</dl><dl><dt id=b>b()<dd>B.</dl><dl><dt id=c>c()<dd>C.</dl>';
    expect(outline(beside).slice(1)).toEqual([
      [3, 'a', '#a'],
      [3, 'b', '#b'],
      [3, 'c', '#c'],
    ]);
    expect(text('<dl><dt>Tree<dd>A plant.<dt>Bird<dd>An animal.</dl>')).toBe(
      'Tree\n\nA plant.\n\nBird\n\nAn animal.',
    );
  });

  it('keeps code as it stands, with its language and without what a highlighter adds', () => {
    const code = 'def run():\n\n    return `1`';
    const highlighted = `<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span
      class="linenos">1</span><span class="k">def</span> run():\n\n    return \`1\`\n</pre></div></div>`;
    expect(text(highlighted)).toBe(`\`\`\`python\n${code}\n\`\`\``);
    expect(text('<pre><code class="language-js">a &lt; b<br>c</code></pre>')).toBe(
      '```js\na < b\nc\n```',
    );
    expect(text('<pre>a ``` b</pre>')).toBe('````\na ``` b\n````');
    expect(text('Call <code>run()</code> or <kbd>Ctrl</kbd>.')).toBe('Call `run()` or `Ctrl`.');
  });

  it('keeps tables as tables, with the head again where a long one goes on', () => {
    const table =
      '<table><tr><th>Name<th>Means<tr><td><code>a|b</code><td>One<br>two<tr><td colspan=2>Both</table>';
    expect(text(table)).toBe('| Name | Means |\n| --- | --- |\n| `a\\|b` | One two |\n| Both |  |');
    const long = `<table><tr><th>N<th>M${'<tr><td>one<td>some more words in this cell'.repeat(60)}</table>`;
    const parts = text(long).split('\n\n');
    expect(parts.length).toBeGreaterThan(1);
    expect(
      parts.every(
        (part) => part.startsWith('| N | M |\n| --- | --- |\n| one |') && part.length < 1_500,
      ),
    ).toBe(true);
    const layout = '<table><tr><td><h2>A</h2><p>b</td><td><pre>c</pre></td></tr></table>';
    expect(text(layout)).toBe('## A\n\nb\n\n```\nc\n```');
  });

  it('keeps lists and quotes', () => {
    const list = '<p>Do:<ol><li>One<li>Two<ul><li>a<li><p>b<pre>c</pre></ul><li>Three</ol><p>Done.';
    expect(text(list)).toBe(
      'Do:\n\n1. One\n2. Two\n   - a\n   - b\n\n     ```\n     c\n     ```\n\n3. Three\n\nDone.',
    );
    expect(text('<blockquote><p>One<p>two</blockquote>three')).toBe('> One\n> two\n\nthree');
  });

  it('takes a remark into the section that it is in', () => {
    const page = '<h2>Use</h2><p>a<div class="note"><h3>Note</h3><p>b</div><p>c';
    expect(outline(page)).toEqual([[2, 'Use', null]]);
    expect(text(page)).toBe('## Use\n\na\n\nNote\n\nb\n\nc');
  });

  it('is read in the encoding that the server, a mark or the page names', () => {
    const latin = Buffer.from('<p>caf\xe9', 'latin1');
    expect(parse(latin).text).toBe('café\n');
    expect(parse(latin, 'iso-8859-5').text).toBe('cafщ\n');
    expect(parse(Buffer.from('<meta charset=iso-8859-5><p>caf\xe9', 'latin1')).text).toBe('cafщ\n');
    expect(parse(Buffer.from('\uFEFF<meta charset=iso-8859-5><p>é')).text).toBe('é\n');
    expect(parse(Buffer.from('<p>é')).text).toBe('é\n');
    expect(parse(Buffer.from('\uFEFF<p>é', 'utf16le')).text).toBe('é\n');
    expect(parse(Buffer.from('<p>a\0b&#0;'), 'no such').text).not.toContain('\0');
  });

  it.each([
    ['divisions', '<div>'.repeat(200_000)],
    ['unclosed bold words', '<b>x'.repeat(250_000)],
    ['mismatched ends', '<i></b>'.repeat(150_000)],
    ['lists', '<ul><li>'.repeat(120_000)],
    ['tables', '<table><tr><td>'.repeat(60_000)],
    ['quotes', '<blockquote>x'.repeat(80_000)],
    ['definitions', '<dl><dt id=a>b<dd>'.repeat(50_000)],
    ['code', '<pre><code>'.repeat(90_000)],
    ['headings', '<h2><a href="#x">'.repeat(60_000)],
  ])('is written in bounds, nested as deep as it likes: %s', (_, html) => {
    const { text: written, headings = [] } = parse(html);
    expect(written.length).toBeLessThan(30_000_000);
    expect(headings.every(({ level }) => level <= 12)).toBe(true);
  });
});
