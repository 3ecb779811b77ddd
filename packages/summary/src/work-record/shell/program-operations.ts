import type { FileOperation } from '../calls/file-operation.ts';
import { each, plain, readMove, unknownText } from './file-arguments.ts';
import { gitOperations } from './git-operations.ts';

type Program = (args: readonly string[]) => FileOperation[];

/** What programs do with the files in their arguments. Programs that generate files are not included. */
const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['rm', remove],
  ['unlink', remove],
  ['mv', (args) => readMove('move', args)],
  ['cp', (args) => readMove('copy', args)],
  ['touch', (args) => each('append', plain(args))],
  ['tee', (args) => each(args.some(isAppend) ? 'append' : 'write', plain(args))],
  ['sed', sed],
  ['gsed', sed],
  ['perl', (args) => (args.some(isInPlace) ? each('edit', afterScript(args)) : [])],
  ['git', gitOperations],
  ['curl', (args) => download(args, /^(?:-[a-zA-Z]*o|--output)$/)],
  ['wget', (args) => download(args, /^(?:-O|--output-document)$/)],
  ...['cat', 'head', 'tail', 'less', 'more', 'nl', 'bat', 'xxd'].map((name): [string, Program] => [
    name,
    (args) => each('read', plain(withoutValues(args, /^-[nc]$/))),
  ]),
  ...['awk', 'gawk', 'jq'].map((name): [string, Program] => [name, (args) => each('read', plain(args).slice(1))]),
]);

/** Returns what a program does with the files in its arguments; nothing for unknown programs. */
export function programOperations(program: string, args: readonly string[]): FileOperation[] {
  return programs.get(program)?.(args) ?? [];
}

function remove(args: readonly string[]): FileOperation[] {
  const isRecursive = args.some((text) => /^(?:-\w*[rR]|--recursive$)/.test(text));
  return plain(args).map((path) => ({ action: 'delete', path, isFolder: isRecursive && !hasExtension(path) }));
}

/** True for a path that names a file, even if the command could also delete folders. */
function hasExtension(path: string): boolean {
  return /[^/.]\.[A-Za-z]\w{0,9}$/.test(path);
}

function sed(args: readonly string[]): FileOperation[] {
  return each(args.some(isInPlace) ? 'edit' : 'read', afterScript(args));
}

/**
 * Returns the files of `sed` and `perl`: the arguments after the script, or all arguments if the script is an option.
 */
function afterScript(args: readonly string[]): string[] {
  const option = /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/;
  const hasOption = args.some((text) => option.test(text) || text.startsWith('--expression='));
  const rest = withoutValues(args, option).filter((text) => text !== '');
  const files = rest.filter((text) => !text.startsWith('-'));
  return (hasOption ? files : files.slice(1)).filter((text) => text !== unknownText);
}

/** Removes options together with their values. */
function withoutValues(args: readonly string[], option: RegExp): string[] {
  return args.filter((text, at) => !option.test(text) && !(at > 0 && option.test(args[at - 1]!)));
}

function download(args: readonly string[], output: RegExp): FileOperation[] {
  const at = args.findIndex((text) => output.test(text));
  const target = at >= 0 ? args[at + 1] : undefined;
  const isFile = target !== undefined && target !== unknownText && target !== '-' && target !== '/dev/null';
  return isFile ? [{ action: 'write', path: target }] : [];
}

function isInPlace(text: string): boolean {
  return /^(?:-[a-zA-Z]*i|--in-place)/.test(text);
}

function isAppend(text: string): boolean {
  return text === '-a' || text === '--append';
}
