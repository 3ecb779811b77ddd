const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')));

/** Programs that look something up, change single files, or belong to the shell. */
export const lookups: ReadonlySet<string> = words(
  'cat ls ll tree find fd grep egrep fgrep rg ag ack head tail less more bat nl diff cmp wc stat file du df strings xxd od',
  'ps top pgrep pkill kill killall lsof pwd which whereis type env printenv date id whoami uname hostname man open code',
  'echo printf sed awk gawk jq yq sort uniq cut tr column seq tee xargs curl wget ssh tmux vi vim nano clear',
  'mkdir rm rmdir mv cp ln touch chmod chown basename dirname realpath readlink patch apply_patch applypatch',
  'cd pushd popd set shopt source export unset alias eval trap true false sleep wait test read exit return break continue',
  'for case esac done fi function local declare bash sh zsh node python python3 ruby perl php tsx sqlite3 psql mysql redis-cli',
);

/** Last words of commands that look something up or prepare something: `npm view`, `docker compose ps`. */
export const lookupCommands: ReadonlySet<string> = words(
  'status log logs ls list ll show view info describe get diff blame branch remote config env version help ps images inspect',
  'stats tree metadata search outdated why whoami explain api comment auth edit bin root cache freeze pm tasks init',
);

/** Commands of git that are runs. */
export const gitCommands: ReadonlySet<string> = words(
  'commit push merge rebase pull cherry-pick revert am apply clone stash-pop stash-apply',
);

/** Programs for tests, and for checks and builds, whose first argument is a file or a name and no subcommand. */
export const testRunners: ReadonlySet<string> = words(
  'pytest py.test jest vitest mocha _mocha ava tap tape rspec phpunit pest ctest unittest nose2 nosetests runtests.py minitest',
  'gotestsum tox nox',
);
export const checkers: ReadonlySet<string> = words(
  'tsc tsgo vue-tsc svelte-check tsup eslint oxlint xo standard stylelint prettier black isort flake8 pycodestyle pyflakes',
  'pylint bandit mypy dmypy pyright basedpyright gofmt gofumpt goimports staticcheck rustc rustfmt gcc g++ clang clang++ javac',
  'ghc cmake ninja rubocop phpstan psalm ansible-playbook',
);

/** Words in the names of commands that run tests, and of other commands that check, build or change a project. */
export const testWords: ReadonlySet<string> = words('test tests spec specs e2e cypress playwright nextest ginkgo');
export const workWords: ReadonlySet<string> = words(
  'build bench compile check typecheck types lint vet fmt format doc ci dev start serve plan up clippy validate verify audit',
  'install publish deploy migrate release apply rollout make gmake meson bazel mvn mvnw mvnd gradle gradlew msbuild xcodebuild',
  'biome ruff docker podman webpack vite rollup esbuild',
);
/** Programs all of whose commands count: they run the targets of a project or install packages. */
export const projectPrograms: ReadonlySet<string> = words(
  'npm pnpm yarn bun deno mise just task rake invoke poe moon turbo nx pre-commit lefthook pip pip3 pipx uv poetry pdm gem',
  'bundle composer',
);

/** Words after which the next one belongs to the name, too: `npm run lint`, `docker compose up`. */
export const groups: ReadonlySet<string> = words(
  'run run-script r compose buildx stash mod pip insta tool pr release issue repo rollout clean',
);

/** Options before a subcommand that take a value. */
export const valuedOptions: readonly string[] = [
  ...words(
    '-C -c -n -f -F -w -p -P -R -H -j -pl --prefix --filter --dir --cwd --workspace --namespace --context --kubeconfig',
    '--manifest-path --git-dir --work-tree --repo --file --directory --project --project-name --env-file --profile',
  ),
];
/** Options that prevent a run. */
export const idleOptions: ReadonlySet<string> = words(
  '--help -h --version --dry-run --list --listTests --list-tests --showConfig --show-only --collect-only --co --fixtures',
  '--no-run --init --print-config --listFiles --abort --quit --stop',
);
