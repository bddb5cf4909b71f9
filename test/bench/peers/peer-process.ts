import { writeSync } from 'node:fs';

import type { Figure } from '../report.js';
import { openCorpus } from './corpus.js';
import { measureBuild, measureOpen, measureSearches, sizeOnDisk } from './measure-peer.js';
import { PEERS } from './peers.js';

// peer-process.js NAME build|search CORPUS FOLDER: measures one peer and reports each figure to its
// parent.
const [name, task, corpusFolder = '', folder = ''] = process.argv.slice(2);
const peer = PEERS.find((each) => each.name === name);
if (!peer) throw new Error(`There is no peer ${name}`);
const corpus = openCorpus(corpusFolder);
const reported: Promise<void>[] = [];
const tell = (figure: Figure): void => {
  reported.push(new Promise((resolve) => process.send?.(figure, () => resolve())));
};

try {
  if (task === 'build') {
    const index = await (await peer.load())(folder);
    await measureBuild(index, corpus, tell);
    if (!peer.persists) await measureSearches(index, corpus, tell);
    await index.close();
    if (peer.persists) tell(sizeOnDisk(folder));
  } else {
    const index = await measureOpen(peer, folder, corpus, tell);
    await measureSearches(index, corpus, tell);
    await index.close();
  }
} catch (error) {
  writeSync(2, error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
// Native threads of a peer would keep the process alive.
await Promise.all(reported);
process.exit();
