/**
 * The floors of the house (see ARCHITECTURE.md): a package imports only from lower floors, two engines never
 * import each other, and what is allowed is listed here, package by package, so that a new edge is a decision.
 */
const allowed = {
  core: [],
  redactor: ['command-line'],
  'command-line': [],
  tokens: ['core'],
  formats: ['core'],
  testkit: ['core'],
  pruner: ['core', 'tokens'],
  summary: ['core', 'provider-errors', 'redactor', 'tokens'],
  summarizers: ['core', 'redactor', 'tokens', 'summary'],
  compressor: ['core', 'redactor', 'tokens', 'pruner', 'summary'],
  'prune-compact': ['core', 'redactor', 'tokens', 'pruner', 'summary'],
  trajectory: ['command-line', 'core', 'redactor', 'tokens', 'formats', 'summary', 'summarizers'],
  registry: ['core', 'redactor', 'tokens', 'pruner', 'summary', 'compressor', 'prune-compact'],
  session: ['core', 'provider-errors', 'redactor', 'tokens', 'formats', 'pruner', 'summary'],
};

const rules = Object.entries(allowed).map(([name, lower]) => ({
  name: `floor-of-${name}`,
  comment: `@palimpsest/${name} may import only: ${lower.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: '^(packages|apps)/', pathNot: `^packages/(${[name, ...lower].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...rules,
    { name: 'no-app-in-a-package', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-node-api-below-the-engines',
      comment: 'These run in a browser and in a worker; Node-only code sits behind its own entry point.',
      severity: 'error',
      from: {
        path: '^packages/(core|redactor|tokens|provider-errors|formats|pruner|summary|compressor|prune-compact)/src',
        pathNot: '^packages/redactor/src/program/',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-api-in-the-root-of-the-registry',
      comment: 'The root entry runs in a browser; Node lives below src/node and in the thread of a worker.',
      severity: 'error',
      from: { path: '^packages/registry/src/', pathNot: '^packages/registry/src/(node/|worker-thread\\.ts)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-api-in-a-session',
      comment: 'A session runs in a browser; only its store of files needs Node, behind an entry of its own.',
      severity: 'error',
      from: { path: '^packages/session/src/', pathNot: '^packages/session/src/persistence/file-store\\.ts' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'not-resolvable', severity: 'error', from: { path: '/src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    includeOnly: '^(packages|apps)/[^/]+/src|node_modules|^@palimpsest|^(fs|path|node:)',
    exclude: '/(dist|test|node_modules)/',
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['palimpsest-source', 'import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};
