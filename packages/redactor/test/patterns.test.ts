import { readdirSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { anyHidden, hidden } from '../src/hidden.ts';
import { compileBody } from '../src/kinds/vendor.ts';
import { type TokenShape, vendorShapes } from '../src/kinds/vendor-shapes.ts';

const folder = new URL('../src/', import.meta.url);
/** The files of the library. The program is left out: its patterns run only on its own text. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('program/'))
  .sort();

/** Returns every regular expression literal in the sources of the package, found by TypeScript's parser. */
function literalPatterns(): RegExp[] {
  const patterns: RegExp[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(new URL(file, folder), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        patterns.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return patterns;
}

function bodyPatterns({ body }: TokenShape): RegExp[] {
  const { run, pattern } = compileBody(body);
  return [run, pattern].filter((one) => one !== null);
}

/** Patterns constructed at run time. New ones must be added here. */
const built = [anyHidden, hidden, ...vendorShapes.flatMap(bodyPatterns)];

const patterns = [...new Map([...literalPatterns(), ...built].map((pattern) => [String(pattern), pattern])).values()];

/**
 * Removes large bounds: they make the analysis slow, and a pattern that is safe without them is safe at any size.
 * `PALIMPSEST_DEEP` analyses the unchanged patterns too.
 */
const unbounded = (source: string): string =>
  source
    .replace(/(?<!\\u)\{(\d+),(\d+)\}/g, (bound, least: string, most: string) =>
      Number(most) < 60 ? bound : least === '0' ? '*' : '+',
    )
    .replace(/(?<!\\u)\{(\d+)\}/g, (bound, count: string) => (Number(count) < 60 ? bound : '+'));

/** Anchors sticky patterns, because they are tried at one index only. */
const analysed = ({ source, sticky }: RegExp, write: (source: string) => string): string =>
  sticky ? `^(?:${write(source)})` : write(source);

describe('every pattern of the package', () => {
  it('is found by this test', () => {
    expect(patterns.length).toBeGreaterThan(90);
    const constructed = files.filter((file) => readFileSync(new URL(file, folder), 'utf8').includes('new RegExp('));
    expect(constructed).toEqual(['hidden.ts', 'kinds/vendor.ts', 'rules/check-linear.ts', 'rules/user-rule.ts']);
  });

  it.each(patterns.map((pattern) => [String(pattern).slice(0, 80), pattern] as const))('is safe: %s', (_, pattern) => {
    const flags = pattern.flags.replace(/[dgy]/g, '');
    const sources = [analysed(pattern, unbounded)];
    if (process.env.PALIMPSEST_DEEP) sources.push(analysed(pattern, (source) => source));
    for (const source of sources) {
      // Attacks are judged by steps, not by time: on a busy machine a safe pattern would look vulnerable.
      const byStepsOnly = { attackTimeout: null, incubationTimeout: null };
      const { status } = checkSync(source, flags, { ...byStepsOnly, timeout: 25_000 });
      expect(`${status}: ${source}`).toBe(`safe: ${source}`);
    }
  });
});
