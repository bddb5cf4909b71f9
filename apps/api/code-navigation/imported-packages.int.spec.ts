import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type DefinitionKind, PUBLIC_TENANT } from '#contracts';
import type { DefinitionsView, ErrorView, ReferencesView } from '#contracts/http/index';
import { uuidv7 } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { scipIndex } from '#test/support/scip-index';

const SHOP = {
  'src/shop.ts': [
    "import { chargeCard } from 'pay-kit';",
    "import * as kit from 'pay-kit';",
    'chargeCard();',
    'export const price = new kit.Money();',
  ],
  'src/till.ts': ['export function chargeCard() {}', 'chargeCard();'],
  'cmd/main.go': ['package main', 'import "example.com/paygo/money"', 'var p = money.NewPurse()'],
  'app/main.rs': ['use pay_rs::Wallet;', 'fn main() { let wallet: Wallet; }'],
  'app/Use.java': ['import com.pay.Coin;', 'class Use { Coin coin; }'],
  'job.py': ['from paylib import refund', 'from other import charge', 'refund()', 'charge()'],
};
const KIT = {
  'pay-kit/package.json': ['{ "name": "pay-kit", "main": "./dist/index.js" }'],
  'pay-kit/src/index.ts': ["export { chargeCard } from './charge';", "export * from './money';"],
  'pay-kit/src/charge.ts': ['export function chargeCard() {}'],
  'pay-kit/src/money.ts': ['export class Money {}'],
};
const LIBRARY = {
  'paylib/__init__.py': ['from .core import refund', '__version__ = "1"'],
  'paylib/core.py': ['def refund(): pass', 'def charge(): pass'],
};
/** Releases with one definition that the files above import, by name of their source. */
const OTHERS = {
  'Go: example.com/paygo': {
    'example.com/paygo/money/purse.go': ['package money', 'func NewPurse() int { return 1 }'],
  },
  'crates.io: pay-rs': {
    'pay-rs/src/lib.rs': ['mod wallet;', 'pub use wallet::Wallet;'],
    'pay-rs/src/wallet.rs': ['', 'pub struct Wallet {}'],
  },
  'Maven: com.pay:coin': {
    'com.pay:coin/com/pay/Coin.java': ['package com.pay;', 'public class Coin {}'],
  },
};
const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'python',
  rs: 'rust',
  ts: 'typescript',
};
/** A definition by its keyword, the only one of its line. */
const DEFINED = /\b(function|class|def|const|func|struct) (\w+)/;
const KINDS: Readonly<Record<string, DefinitionKind>> = {
  class: 'class',
  const: 'constant',
  struct: 'struct',
};

describe('imports of linked packages', () => {
  let api: ApiHarness;
  let shop: string;
  let theirs: string;
  let kit: string;

  const put = (files: Readonly<Record<string, readonly string[]>>, options: object) =>
    publish(
      api,
      Object.entries(files).map(([path, lines]) => {
        const definitions = lines.flatMap((line, at) => {
          const [, word = '', name] = DEFINED.exec(line) ?? [];
          if (name === undefined) return [];
          const number = at + 1;
          const column = line.indexOf(` ${name}`) + 2;
          const kind = KINDS[word] ?? 'function';
          const place = { kind, line: number, column, last_line: number };
          return [{ name, symbol: name, start_line: number, end_line: number, place }];
        });
        const ending = path.slice(path.lastIndexOf('.') + 1);
        const language = LANGUAGES[ending] ?? ending;
        const defs = definitions.map(({ name }) => name);
        return { path, content: lines.join('\n'), language, definitions, defs };
      }),
      { tenant: api.tenantA, ...options },
    );
  const release = async (
    files: Readonly<Record<string, readonly string[]>>,
    [name, versionRef]: readonly [name: string, version: string],
  ) => {
    const package_id = uuidv7();
    const audience = { kind: 'linked', package_id };
    const id = await put(files, { tenant: PUBLIC_TENANT, audience, name, versionRef });
    return { id, package_id };
  };
  const link = async (package_id: string) => {
    const link_id = uuidv7();
    const of = { ecosystem: 'npm', name: 'x', version: '1' } as const;
    await api.append(api.tenantA, `packagelink-${link_id}`, {
      type: 'PackageLinked',
      data: { link_id, package_id, owner_tenant_id: PUBLIC_TENANT, episode: 1, ...of },
    });
    return link_id;
  };

  beforeAll(async () => {
    api = await ApiHarness.start();
    shop = await put(SHOP, { name: 'Shop' });
    theirs = await put(SHOP, { name: 'Theirs', tenant: api.tenantB });
    const npm = await release(KIT, ['NPM: pay-kit', '1.0.0']);
    kit = npm.id;
    const python = await release(LIBRARY, ['PyPI: paylib', '2.0.0']);
    await release(KIT, ['NPM: pay-kit', '9.0.0']);
    for (const { package_id } of [npm, python]) await link(package_id);
    for (const [name, files] of Object.entries(OTHERS))
      await link((await release(files, [name, '3.0.0'])).package_id);
  });
  afterAll(() => api.stop());

  const get = <View>(path: string, key?: string) =>
    api.call<View & ErrorView>('GET', path, undefined, key === undefined ? {} : { key });
  const at = (id: string, path: string, line: number, column: number) =>
    `source_id=${id}&path=${path}&line=${line}&column=${column}`;
  const defined = async (place: string, key?: string) => {
    const { body } = await get<DefinitionsView>(`/definitions?${place}`, key);
    return body.definitions.map(
      ({ source_name, path, line, version_ref, precision }) =>
        `${source_name} ${path}:${line} @${version_ref} ${precision}`,
    );
  };
  const used = async (query: string, key?: string) => {
    const path = `/references?timeout_ms=10000&${query}`;
    const { body } = await get<ReferencesView>(path, key);
    return body.references.map(
      ({ source_name, path: file, line, kind, precision }) =>
        `${source_name} ${file}:${line} ${kind} ${precision}`,
    );
  };
  const replayed = async (path: string) => {
    const { headers, body } = await get<DefinitionsView & ReferencesView>(path);
    const id = String(headers['x-receipt-id']);
    const replay = await api.call<DefinitionsView & ReferencesView>(
      'POST',
      `/receipts/${id}/replay`,
    );
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.definitions ?? replay.body.references).toEqual(
      body.definitions ?? body.references,
    );
  };

  it('lead a place to the definition in the release, through its entry point', async () => {
    const charge = 'NPM: pay-kit pay-kit/src/charge.ts:1 @1.0.0 resolved';
    expect(await defined(at(shop, 'src/shop.ts', 3, 1))).toEqual([charge]);
    expect(await defined(at(shop, 'src/shop.ts', 1, 12))).toEqual([charge]);
    expect(await defined(at(shop, 'src/shop.ts', 4, 30))).toEqual([
      'NPM: pay-kit pay-kit/src/money.ts:1 @1.0.0 resolved',
    ]);
    expect(await defined(at(shop, 'job.py', 3, 1))).toEqual([
      'PyPI: paylib paylib/core.py:1 @2.0.0 resolved',
    ]);
    await replayed(`/definitions?${at(shop, 'src/shop.ts', 3, 1)}`);
  });

  it.each([
    ['cmd/main.go', 3, 'Go: example.com/paygo example.com/paygo/money/purse.go:2'],
    ['app/main.rs', 2, 'crates.io: pay-rs pay-rs/src/wallet.rs:2'],
    ['app/Use.java', 2, 'Maven: com.pay:coin com.pay:coin/com/pay/Coin.java:2'],
  ] as const)('lead %s to its release', async (path, line, expected) => {
    const name = { go: 'NewPurse', rs: 'Wallet', va: 'Coin' }[path.slice(-2)] ?? '';
    const column = (SHOP[path][line - 1] ?? '').lastIndexOf(name) + 1;
    expect(await defined(at(shop, path, line, column))).toEqual([`${expected} @3.0.0 resolved`]);
    const references = await used(`name=${name}`);
    expect(references).toContain(`Shop ${path}:${line} reference resolved`);
    expect(await used(`name=${name}`, api.keyB)).not.toContainEqual(
      expect.stringContaining('resolved'),
    );
  });

  it('leave names of the own source and of unknown modules as they are', async () => {
    expect(await defined(at(shop, 'src/till.ts', 2, 1))).toEqual([
      'Shop src/till.ts:1 @commit-1 resolved',
    ]);
    expect(await defined(at(shop, 'job.py', 4, 1))).toEqual([
      'PyPI: paylib paylib/core.py:2 @2.0.0 name',
    ]);
    const alone = `${at(shop, 'src/shop.ts', 3, 1)}&source_ids=${shop}`;
    expect(await defined(alone)).toEqual(['Shop src/till.ts:1 @commit-1 name']);
  });

  it('lead references of the definition in the release to the sources that import it', async () => {
    const place = at(kit, 'pay-kit/src/charge.ts', 1, 17);
    expect(await used(place)).toEqual([
      'NPM: pay-kit pay-kit/src/charge.ts:1 definition resolved',
      'NPM: pay-kit pay-kit/src/index.ts:1 import resolved',
      'Shop src/shop.ts:1 import resolved',
      'Shop src/shop.ts:3 reference resolved',
    ]);
    expect(await used('name=refund')).toEqual([
      'PyPI: paylib paylib/__init__.py:1 import resolved',
      'PyPI: paylib paylib/core.py:1 definition resolved',
      'Shop job.py:1 import resolved',
      'Shop job.py:3 reference resolved',
    ]);
    await replayed(`/references?timeout_ms=10000&${place}`);
  });

  it('never lead a tenant to a release that it does not link', async () => {
    expect(await defined(at(theirs, 'src/shop.ts', 3, 1), api.keyB)).toEqual([
      'Theirs src/till.ts:1 @commit-1 name',
    ]);
    expect(await defined(at(theirs, 'job.py', 3, 1), api.keyB)).toEqual([]);
    expect(await used('name=refund', api.keyB)).toEqual([
      'Theirs job.py:1 import name',
      'Theirs job.py:3 reference name',
    ]);
    const place = at(kit, 'pay-kit/src/charge.ts', 1, 17);
    for (const route of ['definitions', 'references'])
      expect((await get(`/${route}?${place}`, api.keyB)).body.code).toBe('source_not_found');
  });

  it('lead on from a SCIP index, which has no definition of what is imported', async () => {
    const symbol = 'scip-test npm pay-kit 1.0.0 charge/chargeCard().';
    const uses = [
      { range: [0, 9, 19], symbol },
      { range: [2, 0, 10], symbol },
    ];
    const { statusCode } = await api.app.inject({
      method: 'PUT',
      url: `/sources/${shop}/scip?version_ref=commit-1`,
      headers: {
        authorization: `Bearer ${api.keyA}`,
        'content-type': 'application/x-protobuf',
      },
      payload: scipIndex([{ path: 'src/shop.ts', occurrences: uses }]),
    });
    expect(statusCode).toBe(200);
    expect(await defined(at(shop, 'src/shop.ts', 3, 1))).toEqual([
      'NPM: pay-kit pay-kit/src/charge.ts:1 @1.0.0 resolved',
    ]);
    const found = await used(at(kit, 'pay-kit/src/charge.ts', 1, 17));
    expect(found.slice(2)).toEqual([
      'Shop src/shop.ts:1 import resolved',
      'Shop src/shop.ts:3 reference resolved',
    ]);
    const fromUse = await used(at(shop, 'src/shop.ts', 3, 1));
    expect(fromUse.map((each) => each.replace(/ \w+$/, ''))).toEqual(
      found.map((each) => each.replace(/ \w+$/, '')),
    );
  });

  it('lead to each linked version of a package, and to none once its link is removed', async () => {
    const { package_id } = await release(KIT, ['NPM: pay-kit', '2.0.0']);
    const link_id = await link(package_id);
    const place = at(shop, 'src/shop.ts', 4, 30);
    const versions = async () =>
      (await defined(place)).map((each) => /@(\S+)/.exec(each)?.[1]).sort();
    expect(await versions()).toEqual(['1.0.0', '2.0.0']);
    await api.append(api.tenantA, `packagelink-${link_id}`, {
      type: 'PackageUnlinked',
      data: { link_id, package_id, episode: 1 },
    });
    expect(await versions()).toEqual(['1.0.0']);
  });
});
