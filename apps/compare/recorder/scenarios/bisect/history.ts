import { bundled, prepareWith, readBundle } from '../../scenario.ts';
import type { Workspace } from '../../workspace.ts';

/** A commit in the history of the project: one replacement in one file. */
interface Past {
  readonly message: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const CLI = 'src/cli.js';
const INVOICE = 'src/invoice.js';
const PRINT = 'src/print.js';

/** The commits after version 1.2.0. One of them changes the tax. Another one does not load, and the next one repairs it. */
const PAST: readonly Past[] = [
  {
    message: 'Say what to pass when no file is given',
    path: CLI,
    before: 'const text',
    after: "if (!process.argv[2]) {\n  console.error('usage: invoice-lines FILE');\n  process.exit(2);\n}\nconst text",
  },
  {
    message: 'Accept comments in invoice files',
    path: CLI,
    before: "line.trim() !== ''",
    after: "line.trim() !== '' && !line.startsWith('#')",
  },
  {
    message: 'Widen the columns for large invoices',
    path: PRINT,
    before: ".padStart(12),\n    'tax ",
    after: ".padStart(14),\n    'tax ",
  },
  {
    message: 'Widen the other two columns as well',
    path: PRINT,
    before: 'formatAmount(tax).padStart(12)',
    after: 'formatAmount(tax).padStart(14)',
  },
  {
    message: 'Align gross with the rest',
    path: PRINT,
    before: 'formatAmount(gross).padStart(12)',
    after: 'formatAmount(gross).padStart(14)',
  },
  {
    message: 'Allow a description after the tax rate',
    path: INVOICE,
    before: '@ (\\d+)%$/',
    after: '@ (\\d+)%(?: .*)?$/',
  },
  {
    message: 'Move totals out of the way of credit notes',
    path: INVOICE,
    before: "import { parseAmount } from './money.js';",
    after: "import { parseAmount, negate } from './money.js';",
  },
  {
    message: 'Add negate, which the last commit forgot',
    path: 'src/money.js',
    before: 'export function formatAmount',
    after:
      'export function negate(hundredths) {\n  return hundredths === 0 ? 0 : -hundredths;\n}\n\nexport function formatAmount',
  },
  {
    message: 'Turn lines into credit notes',
    path: INVOICE,
    before: '/** Tax is rounded',
    after:
      '/** The same line, paid back. */\nexport function credit(line) {\n  return { ...line, price: negate(line.price) };\n}\n\n/** Tax is rounded',
  },
  {
    message: 'Compute totals in one pass over the lines',
    path: INVOICE,
    before:
      '  const net = new Map();\n  for (const line of lines) net.set(line.tax, (net.get(line.tax) || 0) + line.quantity * line.price);\n  let sum = 0;\n  let tax = 0;\n  for (const [rate, amount] of net) {\n    sum += amount;\n    tax += Math.round((amount * rate) / 100);\n  }',
    after:
      '  let sum = 0;\n  let tax = 0;\n  for (const { quantity, price, tax: rate } of lines) {\n    sum += quantity * price;\n    tax += Math.round((quantity * price * rate) / 100);\n  }',
  },
  {
    message: 'Count the lines of an invoice',
    path: PRINT,
    before: "    'gross  '",
    after: "    // The count belongs to the caller.\n    'gross  '",
  },
  {
    message: 'Read from standard input when the file is -',
    path: CLI,
    before: "readFileSync(process.argv[2], 'utf8')",
    after: "readFileSync(process.argv[2] === '-' ? 0 : process.argv[2], 'utf8')",
  },
  { message: 'Release 1.3.0', path: 'package.json', before: '1.2.0', after: '1.3.0' },
  {
    message: 'Name the file in errors',
    path: CLI,
    before: '.map(parseLine)',
    after: '.map((line) => parseLine(line))',
  },
  {
    message: 'Print a rule above gross',
    path: PRINT,
    before: '    // The count belongs to the caller.\n',
    after: "    '-'.repeat(21),\n",
  },
];

/** Creates the project and its history, with a tag on the last correct version. */
export async function writeHistory(workspace: Workspace): Promise<void> {
  const files = new Map(readBundle(new URL('files.txt', import.meta.url)));
  for (const [path, content] of files) await workspace.put(path, content);
  await prepareWith(
    workspace,
    'git init -q -b main && git add -A && git commit -q -m "Release 1.2.0" && git tag v1.2.0',
  );
  for (const { message, path, before, after } of PAST) {
    const changed = bundled(files, path).replace(before, () => after);
    if (changed === bundled(files, path)) throw new Error(`"${message}" changes nothing in ${path}`);
    files.set(path, changed);
    await workspace.put(path, changed);
    workspace.advanceClock(40_000);
    await prepareWith(workspace, `git commit -q -a -m "${message}"`);
    if (message === 'Release 1.3.0') await prepareWith(workspace, 'git tag v1.3.0');
  }
}
