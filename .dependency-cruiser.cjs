/**
 * The layers of ARCHITECTURE.md. A package imports only from lower layers, and two engines never import each other.
 * The list names every allowed import of another package, so that adding one is a decision.
 */
const allowedImports = {
  core: [],
  redactor: ['command-line'],
  'command-line': [],
  tokens: ['core'],
  formats: ['core'],
  agents: ['core'],
  'provider-errors': [],
  testkit: ['agents', 'core'],
  pruner: ['agents', 'core', 'tokens'],
  summary: ['agents', 'core', 'provider-errors', 'pruner', 'redactor', 'tokens'],
  'engine-kit': ['core', 'pruner', 'summary'],
  recall: ['agents', 'core', 'pruner', 'tokens'],
  compressor: ['core', 'engine-kit', 'summary'],
  'prune-compact': ['core', 'engine-kit', 'pruner', 'summary'],
  trajectory: ['agents', 'command-line', 'core', 'redactor', 'tokens', 'formats', 'summary'],
  registry: ['agents', 'core', 'redactor', 'tokens', 'pruner', 'summary', 'compressor', 'prune-compact'],
  session: ['agents', 'core', 'provider-errors', 'redactor', 'tokens', 'formats', 'pruner', 'recall'],
  // Adapters: one package for each framework or agent.
  openclaw: ['core', 'formats', 'recall', 'registry', 'session'],
  opencode: ['core', 'recall', 'registry', 'session'],
  pi: ['core', 'formats', 'registry', 'session'],
  'openai-agents': ['core', 'formats', 'session'],
  langchain: ['core', 'session'],
  native: ['core', 'formats', 'session'],
  mastra: ['session'],
  eval: ['agents', 'command-line', 'core', 'formats', 'recall', 'redactor', 'registry', 'summary', 'tokens'],
  palimpsest: [
    'agents',
    'command-line',
    'core',
    'eval',
    'formats',
    'recall',
    'redactor',
    'registry',
    'session',
    'summary',
    'tokens',
  ],
};

/**
 * The order of the folders of a package, as in ARCHITECTURE.md: each imports only from those before it. An entry with `.ts` is a
 * file beside them.
 */
const folderOrders = {
  core: [
    'errors.ts',
    'format-number.ts',
    'memoize.ts',
    'json',
    'options',
    'messages',
    'handoff',
    'transcript',
    'plans',
    'host',
    'engine',
  ],
  summary: ['work-record', 'template', 'source', 'handoff', 'prompt', 'offline', 'model', 'summarizers'],
  session: [
    'failure',
    'scheduling',
    'events',
    'options',
    'hooks',
    'intake',
    'provider',
    'conversation',
    'pages',
    'checkpoints',
    'recall',
    'projection',
    'parts',
    'compaction',
    'recovery',
    'request',
    'persistence',
    'inspect',
    'adapter-methods.ts',
    'session.ts',
    'operations',
    'create-session.ts',
    'adapter',
    'fetch',
    'ai-sdk',
    'opentelemetry',
  ],
  // What the commands, the live view and the comparison page share. The other folders may import all of these.
  palimpsest: ['printing', 'measuring', 'strips', 'replay', 'comparison', 'inspection'],
};

const place = (name) => (name.endsWith('.ts') ? `${name.replace('.', '\\.')}$` : `${name}/`);
const folderRules = Object.entries(folderOrders).flatMap(([name, order]) => {
  const source = `^packages/${name}/src/`;
  return order.map((folder, at) => ({
    name: `folders-of-${name}: ${folder}`,
    comment: `Folders of ${name} are imported in this order: ${order.join(', ')}`,
    severity: 'error',
    from: { path: `${source}${place(folder)}` },
    to: {
      path: source,
      pathNot: `${source}(${order
        .slice(0, at + 1)
        .map(place)
        .join('|')})`,
    },
  }));
});

const rules = Object.entries(allowedImports).map(([name, lower]) => ({
  name: `imports-of-${name}`,
  comment: `@palimpsest/${name} may import only: ${lower.join(', ') || 'no other package of this repository'}`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: '^(packages|apps)/', pathNot: `^packages/(${[name, ...lower].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...rules,
    ...folderRules,
    { name: 'no-app-imported-by-a-package', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    { name: 'no-circular', comment: 'Type-only imports count.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-node-api-in-engines-and-below',
      comment: 'These packages run in a browser and in a worker. Node-only code has its own entry point.',
      severity: 'error',
      from: {
        path: '^packages/(core|agents|redactor|tokens|provider-errors|formats|pruner|summary|engine-kit|recall|compressor|prune-compact)/src',
        pathNot: '^packages/redactor/src/program/',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-api-in-the-registry-root',
      comment: 'The root entry runs in a browser. Node-only code is in src/node.',
      severity: 'error',
      from: { path: '^packages/registry/src/', pathNot: '^packages/registry/src/node/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-api-in-session',
      comment: 'A session runs in a browser. Only the file store needs Node, and it has its own entry point.',
      severity: 'error',
      from: { path: '^packages/session/src/', pathNot: '^packages/session/src/persistence/file-(store|lease)\\.ts' },
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
