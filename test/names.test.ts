import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The rules of contributing/naming.md that a program can check, and the length of files. */
const root = fileURLToPath(new URL('..', import.meta.url));

const files = execFileSync('git', ['ls-files', 'packages', 'apps', 'tools', 'test'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx)$/.test(file));
const sources = files.filter((file) => file.includes('/src/'));

/** Verbs that end like participles. */
const verbs = /^(?:need|embed|feed|seed|exceed|proceed|succeed|sed|speed)(?![a-z])/;
const participles =
  /^(?:[a-z]*ed|(?:re|un)?(?:sent|lost|found|made|known|shown|said|told|written|chosen|spoken|drawn|given|built|begun|left|hidden|taken|broken|held|kept|gone|thrown|seen|heard|meant|spent|understood|bound|forgotten|done))(?![a-z])/;
const isParticiple = (name: string): boolean => participles.test(name) && !verbs.test(name);
/** A limit is `minX` or `maxX`. */
const superlatives =
  /^(?:least|most|fewest|atOnce|(?:deep|farth|short|long|small|large|larg|high|low|wid|big|great|lat|earli)est)(?![a-z])/;

const isFunctionType = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined &&
  (ts.isFunctionTypeNode(type) ||
    (ts.isParenthesizedTypeNode(type) && isFunctionType(type.type)) ||
    (ts.isUnionTypeNode(type) && type.types.some(isFunctionType)));

const isFunction = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** True for what is called by its name: a function, a method, a constant, property or parameter with a function. */
function isCallable(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
    return isFunction(node.initializer) || isFunctionType(node.type);
  return (ts.isPropertySignature(node) || ts.isParameter(node)) && isFunctionType(node.type);
}

/** The names that a test finds wrong, with their files. */
function namesIn(paths: readonly string[], isWrong: (node: ts.Node, name: string) => boolean): string[] {
  return paths.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const { name } = node as Partial<ts.NamedDeclaration>;
      if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
        if (isWrong(node, name.text.replace('#', ''))) found.push(`${file}: ${name.text}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

const isConstant = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);

describe('names', () => {
  it('of functions are no participles', () => {
    expect(namesIn(sources, (node, name) => isCallable(node) && isParticiple(name))).toEqual([]);
  });

  it('of constants are in camel case', () => {
    expect(namesIn(sources, (node, name) => isConstant(node) && /^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  });

  it('of limits are minX and maxX', () => {
    const isLimit = (node: ts.Node): boolean =>
      (ts.isParameter(node) && node.type?.kind === ts.SyntaxKind.NumberKeyword) ||
      (isConstant(node) && !isFunction((node as ts.VariableDeclaration).initializer));
    expect(namesIn(sources, (node, name) => isLimit(node) && superlatives.test(name))).toEqual([]);
  });
});

/** Files over the limit that are older than it. The list may only get shorter. */
const longFiles: readonly string[] = [
  'packages/agents/test/known-agents.test.ts',
  'packages/compressor/test/state.test.ts',
  'packages/core/test/plan.test.ts',
  'packages/core/test/wire-format.test.ts',
  'packages/formats/test/anthropic.test.ts',
  'packages/formats/test/bedrock-stream.test.ts',
  'packages/formats/test/bedrock.test.ts',
  'packages/formats/test/claude-code.test.ts',
  'packages/native/test/native-compaction.test.ts',
  'packages/palimpsest/test/comparison/verdict.test.ts',
  'packages/palimpsest/test/program/program.test.ts',
  'packages/palimpsest/test/real-agents/known-agents.ts',
  'packages/palimpsest/test/real-agents/tool-provider.ts',
  'packages/provider-errors/test/grammar.test.ts',
  'packages/provider-errors/test/hostile.test.ts',
  'packages/provider-errors/test/refusals.ts',
  'packages/provider-errors/test/wordings.ts',
  'packages/pruner/test/policy.test.ts',
  'packages/pruner/test/salience/reading.test.ts',
  'packages/pruner/test/stub-tables.test.ts',
  'packages/recall/test/recall.test.ts',
  'packages/redactor/test/places.test.ts',
  'packages/registry/test/fallback.test.ts',
  'packages/registry/test/registry.test.ts',
  'packages/session/test/agent/loops.ts',
  'packages/session/test/compaction/background.test.ts',
  'packages/session/test/persistence/untrusted-store.test.ts',
  'packages/session/test/recall/inside-clients.ts',
  'packages/session/test/recall/offered-tools.test.ts',
  'packages/session/test/recall/streams.test.ts',
  'packages/session/test/recovery/recovery.test.ts',
  'packages/session/test/recovery/stripped-content.test.ts',
  'packages/session/test/fetch/fetch.test.ts',
  'packages/summary/test/by-rules.test.ts',
  'packages/summary/test/summarizers/failure-table.test.ts',
  'packages/summary/test/work-record/file-changes.test.ts',
  'packages/summary/test/work-record/verdicts.test.ts',
  'packages/testkit/test/broken-engines.ts',
  'packages/testkit/test/laws/engine.test.ts',
  'packages/testkit/test/laws/plans.test.ts',
  'packages/tokens/test/token-counter.test.ts',
  'packages/trajectory/test/queue.test.ts',
  'test/loopback-server/server.ts',
];

describe('files', () => {
  it('have at most 250 lines', () => {
    const long = files.filter((file) => readFileSync(root + file, 'utf8').split('\n').length > 251);
    expect(long.sort()).toEqual([...longFiles].sort());
  });
});
