// npm scripts run on the Node that the `node` package brings; a tool started any other way says how
// to start it.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Footnote runs on Node 24, this is ${process.versions.node}. Start it through npm (npm run …), which brings its own.`,
  );
  process.exit(1);
}
