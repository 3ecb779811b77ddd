import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const coreErrors = `${packages}/core/src/errors.ts`;

/** The codes that a file documents. */
function listedCodes(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const codes: string[] = [];
  for (const statement of source.statements) {
    if (!ts.isTypeAliasDeclaration(statement) || !statement.name.text.endsWith('ErrorCode')) continue;
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) codes.push(node.literal.text);
      ts.forEachChild(node, visit);
    };
    visit(statement.type);
  }
  return codes.sort();
}

/** The codes with which the sources of a package create errors. */
function thrownCodes(name: string): string[] {
  const codes = new Set<string>();
  const folder = `${packages}/${name}/src`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  for (const path of files) {
    const file = `${folder}/${path}`;
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'PalimpsestError') {
        const code = node.arguments?.[0];
        if (code && ts.isStringLiteral(code)) codes.add(code.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...codes].sort();
}

describe('the error codes of', () => {
  const core = listedCodes(coreErrors);

  it('core are those it throws', () => {
    expect(thrownCodes('core')).toEqual(core);
  });

  for (const name of readdirSync(packages)) {
    if (name === 'core') continue;
    const file = `${packages}/${name}/src/error-code.ts`;
    it(`${name} are documented, and thrown`, () => {
      const own = thrownCodes(name).filter((code) => !core.includes(code));
      expect(own).toEqual(existsSync(file) ? listedCodes(file) : []);
    });
  }
});

describe('the page on error codes', () => {
  const page = readFileSync(fileURLToPath(new URL('../docs/troubleshooting/error-codes.md', import.meta.url)), 'utf8');
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [code = '', , owners = ''] = section.split('\n');
        const [names = ''] = owners.split('. ', 1);
        return [
          code,
          names.startsWith('Every package') ? ['core'] : [...names.matchAll(/`([\w-]+)`/g)].map((match) => match[1]!),
        ];
      }),
  );
  const owners = new Map(listedCodes(coreErrors).map((code) => [code, ['core']]));
  for (const name of readdirSync(packages).filter((one) => existsSync(`${packages}/${one}/src/error-code.ts`)))
    for (const code of listedCodes(`${packages}/${name}/src/error-code.ts`))
      owners.set(code, [...(owners.get(code) ?? []), name]);

  it('has every code, and the packages that throw it', () => {
    expect(Object.fromEntries(sections)).toEqual(Object.fromEntries(owners));
  });
});
