import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DocumentSink, hash, readText, repository, walk } from './files.ts';

/** Collects output of `git log -p` and `diff`. */
export function history(write: DocumentSink): void {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8', maxBuffer: 1e9 });
  for (const patch of git('log', '-p', '--no-color', '-n', '200', '--', '*.ts', '*.json', '*.md').split(
    /(?=^commit )/m,
  )) {
    for (let at = 0; at < patch.length; at += 20_000) write('diff', `git-${hash(patch)}`, patch.slice(at, at + 20_000));
  }
  const store = `${repository}/node_modules/.pnpm`;
  const versions = new Map<string, string[]>();
  for (const name of readdirSync(store)) {
    const found = /^(.+)@\d[^@]*$/.exec(name.split('_')[0]!);
    if (found) versions.set(found[1]!, [...(versions.get(found[1]!) ?? []), name]);
  }
  for (const [name, folders] of versions) {
    if (folders.length < 2) continue;
    const [a, b] = folders.map((one) => join(store, one, 'node_modules', name.replace('+', '/')));
    try {
      execFileSync('diff', ['-ruN', '--exclude=*.map', a!, b!], { encoding: 'utf8', maxBuffer: 1e9 });
    } catch (error) {
      // `diff` exits with 1 when it found differences.
      const patch = String((error as { stdout?: string }).stdout ?? '');
      for (let at = 0; at < Math.min(patch.length, 400_000); at += 20_000) {
        const part = patch.slice(at, at + 20_000);
        if (Math.max(...part.split('\n').map((line) => line.length)) < 500) write('diff', `${name}`, part);
      }
    }
  }
}

/** Collects terminal output of commands, and logs. */
export function logs(write: DocumentSink): void {
  const commands: [string, string[]][] = [
    ['ls', ['-laR', '/usr/lib/python3']],
    ['ls', ['-la', '--time-style=full-iso', '/usr/share', '/etc', '/usr/bin']],
    ['dpkg', ['-l']],
    ['find', ['/usr/share/doc', '-maxdepth', '2']],
    ['ps', ['aux']],
    ['env', ['LANG=C', 'mount']],
    ['df', ['-a']],
    ['du', ['-a', '/usr/share/perl5']],
    ['grep', ['-rn', 'import', '/usr/lib/python3', '--include=*.py']],
  ];
  for (const [command, words] of commands) {
    try {
      const output = execFileSync(command, words, {
        encoding: 'utf8',
        maxBuffer: 1e9,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      for (let at = 0; at < Math.min(output.length, 400_000); at += 10_000)
        write('terminal', `${command}-${at}`, output.slice(at, at + 10_000));
    } catch {}
  }
  for (const path of walk('/var/log'))
    if (/\.log$/.test(path))
      for (let text = readText(path), at = 0; at < text.length; at += 20_000)
        write('log', basename(path), text.slice(at, at + 20_000));
}
