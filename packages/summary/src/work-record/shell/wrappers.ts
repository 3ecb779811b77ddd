/** Keywords of the shell that may precede a command. */
export const keywords: ReadonlySet<string> = new Set('if then else elif while until do ! { time'.split(' '));
const shells = /^(?:bash|sh|zsh|dash|fish|cmd|powershell|pwsh)$/;
const interpreters = /^(?:(?:python|pypy|py)(?:\d(?:\.\d{1,2})?)?|node|tsx|ts-node|ruby|php|perl)$/;

/** Programs that run another command: their names with a subcommand, options with a value, arguments before the command. */
const wrappers: readonly (readonly [names: string, valued?: string, skipped?: number])[] = [
  ['time, nohup, command, exec, builtin, xvfb-run, caffeinate, dotenv, cross-env, winpty, bundle exec'],
  ['env, sudo, doas', '-u, -g, -C'],
  ['nice, ionice, stdbuf', '-n, -c, -o, -e, -i'],
  ['timeout, gtimeout', '-k, -s, --signal, --kill-after', 1],
  ['xargs', '-n, -P, -I, -L, -d, -a'],
  [
    'npx, bunx, bun x, npm exec, npm x, pnpm exec, pnpm dlx, yarn exec, yarn dlx',
    '-p, --package, -c, --prefix, -w, --workspace, --filter, -F, -C, --dir, --cwd',
  ],
  [
    'uv run, uv tool run, uvx, poetry run, pipenv run, pdm run, rye run, hatch run, conda run, mamba run, coverage run',
    '--with, --extra, --group, -p, --python, --project, --directory, --package, --env-file, --from, -C, -n, --name, --source, --rcfile',
  ],
  [
    'docker run, docker exec, docker compose run, docker compose exec, docker-compose run, docker-compose exec, podman run, podman exec',
    '-f, --file, -p, --project-name, -e, --env, -u, --user, -w, --workdir, -v, --volume, --name, --network, --entrypoint, --platform, --mount, --env-file',
    1,
  ],
];
/** Programs whose command follows a mark. */
const marked =
  /^(?:kubectl exec|(?:mise|direnv|asdf) (?:exec|x)|devbox run|op run|doppler run|infisical run|nix develop|nix shell|nix-shell)\b/;
const marks = /^(?:--|-c|--command)$/;
/** Programs whose command works on other files. */
const elsewhere = /^(?:docker|podman|docker-compose|kubectl)$/;

const byName = new Map(
  wrappers.flatMap(([names, valued = '', skipped = 0]) =>
    names.split(', ').map((name) => [name, { valued: valued.split(', '), skipped }] as const),
  ),
);
const allValued = [...new Set(wrappers.flatMap(([, valued = '']) => valued.split(', ')))];

/** Returns the name of a program without folder and suffix: `jest` for `./node_modules/.bin/jest`. */
export function programName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.(?:exe|cmd|bat|sh)$/i, '');
}

/** True for the name of a shell. */
export function isShell(program: string): boolean {
  return shells.test(program);
}

/** True for the name of a program that runs scripts of another language. */
export function isInterpreter(program: string): boolean {
  return interpreters.test(program);
}

/** Returns the index of a script among the words, such as the argument of `bash -c`; `null` if there is none. */
export function findScript(words: readonly string[]): number | null {
  const program = programName(words[0] ?? '');
  const option = shells.test(program)
    ? words.findIndex((word) => /^-[a-z]{0,4}c$/i.test(word) || word === '/c')
    : /^nix(?:-shell)?$/.test(program) && /^(?:-c|--command|--run)$/.test(words.at(-2) ?? '')
      ? words.length - 2
      : -1;
  return option > 0 && option + 1 < words.length ? option + 1 : null;
}

/**
 * Returns the index at which a wrapper's inner command begins; `null` if the program is not a wrapper.
 * @param isLocal true: skip wrappers whose command works on other files, such as a container's. @default false
 */
export function unwrap(words: readonly string[], isLocal = false): number | null {
  const program = programName(words[0] ?? '');
  if (isLocal && elsewhere.test(program)) return null;
  const found = isInterpreter(program) || isShell(program) ? findInterpreted(words) : behindWrapper(program, words);
  return found !== null && found < words.length ? found : null;
}

/** `python -m pytest` runs pytest; `python manage.py test` runs `manage.py`. */
function findInterpreted(words: readonly string[]): number | null {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-m') return at + 1;
    if (/^-[WXr]$|^--(?:import|require|loader)$/.test(word)) at++;
    else if (!word.startsWith('-')) return at;
    else if (/^(?:-c|-e|-p|--eval|--print|--test)$/.test(word)) return null;
  }
  return null;
}

function behindWrapper(program: string, words: readonly string[]): number | null {
  let name = program;
  for (let at = 1; at <= words.length && name.length < 40; at++) {
    const known = byName.get(name);
    if (known) return afterOptions(words, at, known.valued) + known.skipped;
    at = afterOptions(words, at, allValued);
    name += ` ${words[at]}`;
  }
  const mark = marked.test(words.slice(0, 3).join(' ')) ? words.findIndex((word) => marks.test(word)) : -1;
  return mark < 0 ? null : mark + 1;
}

/** Returns the index after the options that begin at `from`. */
export function afterOptions(words: readonly string[], from: number, valued: readonly string[] = []): number {
  let at = from;
  while (at < words.length && /^[-+]./.test(words[at]!)) at += valued.includes(words[at]!) ? 2 : 1;
  return at;
}
