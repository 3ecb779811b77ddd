import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * Snapshots of the names that each entry point exports, so that nobody adds or removes one by accident. Update them with
 * `pnpm vitest run test/exports.test.ts --update`.
 */
const packages = fileURLToPath(new URL('../packages', import.meta.url));

function entriesOf(name: string): [entry: string, source: string][] {
  const manifest = JSON.parse(readFileSync(`${packages}/${name}/package.json`, 'utf8'));
  return Object.entries<string | Record<string, unknown>>(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'object' ? [[entry, `${packages}/${name}/${String(target['palimpsest-source'])}`]] : [],
  );
}

/** Names that an entry exports, values and types apart. Reading the syntax is enough: entries re-export by name. */
function exportedNames(file: string): { values: string[]; types: string[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (!statement.exportClause || !ts.isNamedExports(statement.exportClause))
        throw new Error(`${file}: "export *" is not allowed in an entry; export by name`);
      for (const element of statement.exportClause.elements)
        (statement.isTypeOnly || element.isTypeOnly ? types : values).push(element.name.text);
    } else if (ts.isExportAssignment(statement)) {
      values.push('default');
    } else if (
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)
    ) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      const names = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map((declaration) => declaration.name.getText())
        : [(statement as ts.FunctionDeclaration).name?.text ?? ''];
      (isType ? types : values).push(...names);
    }
  }
  return { values: values.sort(), types: types.sort() };
}

/** Names that an entry exports and its package declares; not those it passes on from another package. */
function declaredNames(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const passedOn = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) && !ts.isImportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier?.getText().includes('@palimpsest/')) continue;
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : statement.importClause?.namedBindings;
    if (clause && (ts.isNamedExports(clause) || ts.isNamedImports(clause)))
      for (const element of clause.elements) passedOn.add(element.name.text);
  }
  const { values, types } = exportedNames(file);
  return [...values, ...types].filter((name) => name !== 'default' && !passedOn.has(name));
}

describe('names', () => {
  it('that are exported do not begin with least, most, longest or shortest', () => {
    const exported = readdirSync(packages).flatMap((name) =>
      entriesOf(name).flatMap(([, file]) => declaredNames(file)),
    );
    expect(exported.filter((name) => /^(?:least|most|longest|shortest)[A-Z]/i.test(name))).toEqual([]);
  });
});

describe('published entry points', () => {
  it('of two packages never declare the same name', () => {
    const owners = new Map<string, Set<string>>();
    for (const name of readdirSync(packages))
      for (const [, file] of entriesOf(name))
        for (const declared of declaredNames(file)) {
          const known = owners.get(declared) ?? new Set();
          owners.set(declared, known.add(name));
        }
    const shared = [...owners].filter(([, by]) => by.size > 1).map(([name, by]) => `${name}: ${[...by].join(', ')}`);
    expect(shared).toEqual([]);
  });

  for (const name of readdirSync(packages)) {
    if (JSON.parse(readFileSync(`${packages}/${name}/package.json`, 'utf8')).private) continue;
    it(`of ${name} export exactly what is listed`, async () => {
      const listed = Object.fromEntries(entriesOf(name).map(([entry, file]) => [entry, exportedNames(file)]));
      await expect(JSON.stringify(listed, null, 1)).toMatchFileSnapshot(`./exports/${name}.json`);
    });
  }
});
