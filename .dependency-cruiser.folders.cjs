const { options } = require('./.dependency-cruiser.cjs');

/**
 * How the folders of the API import each other. A rule on folders cannot leave a way out of its
 * circles, and specs of the rooms lead back into the API by what they share with its tests; so this
 * looks at the API alone.
 */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      severity: 'error',
      comment:
        'Folders of the API import each other in one direction: a resource can be read without those that use it.',
      scope: 'folder',
      from: { path: '^apps/api(/|$)' },
      to: { circular: true },
    },
  ],
  options: { ...options, doNotFollow: { path: 'node_modules|^(dist|libs|test)/' } },
};
