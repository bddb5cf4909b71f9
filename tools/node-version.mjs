// npm scripts run on the Node of the `node` package; a tool that is started otherwise explains how
// to start it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Footnote runs on Node 24 (this is ${process.versions.node}). Start it through npm (npm run …), which uses its own.`,
  );
  process.exit(1);
}
