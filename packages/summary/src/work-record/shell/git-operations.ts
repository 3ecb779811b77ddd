import type { FileOperation } from '../calls/file-operation.ts';
import { joinPath } from '../changes/join-path.ts';
import { each, plain, readMove } from './file-arguments.ts';

/** Returns what a git command does with the files of the working tree. */
export function gitOperations(args: readonly string[]): FileOperation[] {
  if (args[0] === '-C' && args[1] !== undefined)
    return gitOperations(args.slice(2)).map((operation) => ({
      ...operation,
      path: joinPath(args[1]!, operation.path),
      ...(operation.to !== undefined && { to: joinPath(args[1]!, operation.to) }),
    }));
  const [command, ...rest] = args;
  switch (command) {
    case 'mv':
      return readMove('move', rest);
    case 'rm':
      return rest.includes('--cached')
        ? []
        : plain(rest).map((path) => ({ action: 'delete', path, isFolder: rest.some((text) => /^-\w*r/.test(text)) }));
    case 'commit':
      return [{ action: 'commit', path: '' }];
    case 'checkout':
      return readCheckout(rest);
    case 'restore':
      return rest.some((text) => /^(?:--staged|-S)$/.test(text)) &&
        !rest.some((text) => /^(?:--worktree|-W)$/.test(text))
        ? []
        : each(rest.some((text) => /^(?:--source|-s)/.test(text)) ? 'edit' : 'revert', plain(rest));
    case 'reset':
      return rest[0] === '--hard' && (rest[1] === undefined || rest[1] === 'HEAD')
        ? [{ action: 'revert', path: '' }]
        : [];
    default:
      return [];
  }
}

/** Matches what names a commit and hardly a file: `HEAD~1`, `main`, `v1.2.0`. */
const commitName: RegExp = /[~^]|^v?\d+(?:\.\d+)*$|^[^.]+$/;

/** `git checkout` discards changes to files, or takes files from another commit. Switching branches changes no file. */
function readCheckout(args: readonly string[]): FileOperation[] {
  if (args.some((text) => /^-[bBt]$|^--(?:orphan|detach|track)/.test(text))) return [];
  const end = args.indexOf('--');
  const named = plain(end >= 0 ? args.slice(end) : args);
  // Without `--`, a commit comes before the files.
  const isCommitFirst = end < 0 && named.length > 1 && commitName.test(named[0]!);
  const commit = isCommitFirst ? named[0]! : end > 0 ? args[end - 1]! : 'HEAD';
  const paths = isCommitFirst ? named.slice(1) : named;
  return each(commit === 'HEAD' || commit.startsWith('-') ? 'revert' : 'edit', paths);
}
