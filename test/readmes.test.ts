import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

/**
 * Type-checks and runs every ```ts block of the READMEs against the sources. A fragment that cannot run by itself is
 * marked ```ts no-run; there should be few.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}test/.readme-examples`;

interface Example {
  readonly name: string;
  readonly file: string;
}

const readmes = [
  { owner: 'repository', file: `${root}README.md` },
  ...readdirSync(`${root}packages`).map((name) => ({ owner: name, file: `${root}packages/${name}/README.md` })),
].filter(({ file }) => existsSync(file));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const examples: Example[] = readmes.flatMap(({ owner, file }) => {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```ts[ \t]*\n(.*?)^```$/gms)].map((match) => match[1]!);
  return blocks.map((code, index) => {
    const path = `${folder}/${owner}-${index + 1}.ts`;
    writeFileSync(path, code.includes('import ') ? code : `${code}\nexport {};\n`);
    return { name: `${owner}, block ${index + 1}`, file: path };
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples of the READMEs', () => {
  it('compile', { timeout: 120_000 }, () => {
    const config = ts.readConfigFile(`${root}tsconfig.tests.json`, ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
    const program = ts.createProgram(
      examples.map((example) => example.file),
      { ...options, noUnusedLocals: false },
    );
    const problems = ts.getPreEmitDiagnostics(program).map((problem) => {
      const at = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0);
      return `${problem.file?.fileName.split('/').pop()}:${(at?.line ?? 0) + 1} ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`;
    });
    expect(problems).toEqual([]);
  });

  for (const example of examples) {
    it(`run: ${example.name}`, async () => {
      await import(/* @vite-ignore */ example.file);
    });
  }

  it('exist for every package', () => {
    expect(readmes.map(({ owner }) => owner).sort()).toEqual(['repository', ...readdirSync(`${root}packages`)].sort());
  });
});
