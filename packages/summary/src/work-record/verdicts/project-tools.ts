import { count, failed, failing, heading, passed, runs, type ToolRow } from './tool-row.ts';

/** Linters, git, containers, packages and the scripts of a project. Package scripts come last, because they match most. */
export const projectTools: readonly ToolRow[] = [
  runs('biome, rome', { subcommands: 'check, ci, lint, format' }),
  failed(/^Found [1-9]\d* errors?\.$/),
  failed(/^(?:check|ci|lint|format) ━/),
  failed(/^× (?:Some errors|The (?:file|code))/),
  passed(/^Checked \d+ files? in \S+\. /),
  passed(/^(?:Checked|Formatted) \d+ files? in /),
  failing(
    /^(?<name>[^\s:]{1,250}\.\w{1,10})(?::\d+:\d+)? (?:lint|format|assist|parse|organizeImports|suppressions)(?:\/\S{1,100})?\s.{0,40}━/,
  ),
  count(/^Found (\d+) errors?/),

  // Python formatters in check mode.
  runs('black, isort', { needs: '--check, --check-only, --diff', silent: true }),
  failed(/^\d+ files? would be reformatted/),
  failed(/^(?:error: cannot format|ERROR: \S+ Imports are incorrectly)/),
  passed(/^\d+ files? would be left unchanged/),
  failing(/^would reformat (?<name>\S{1,250})/),
  failing(/^ERROR: (?<name>\S{1,250}) Imports are incorrectly/),
  failing(/^error: cannot format (?<name>\S{1,250}):/),
  count(/^(\d+) files? would be reformatted/),

  runs('eslint, oxlint, xo, standard, stylelint', { idle: '--init, --print-config', silent: true }),
  runs('next', { subcommands: 'lint' }),
  failed(/^✖ \d+ problems? \([1-9]\d* errors?/),
  failed(/^✖ \d+ problems?$/),
  failed(/^Found \d+ warnings? and [1-9]\d* errors?/),
  failed(/^\d+:\d+\s+error\s/),
  passed(/^✖ \d+ problems? \(0 errors/),
  passed(/^(?:✔ No ESLint warnings or errors|Found \d+ warnings? and 0 errors)/),
  heading(/^(?:\/|\.{1,2}\/|[A-Za-z]:\\|[\w@-]{1,100}\/)[^\s:*?"<>|]{1,300}\.\w{1,10}$/),
  failing(/^\d+:\d+\s+(?:error|Error:|✖)\s/),
  count(/^✖ \d+ problems? \((\d+) errors?/),

  // Python linters that print one line per problem.
  runs('flake8, pycodestyle, pyflakes, pylint, bandit', { silent: true }),
  failed(/^\S{1,250}\.pyi?:\d+:\d+:? [EFWCRN]\d{3,4}:? /),
  passed(/^Your code has been rated at 10\.00\/10/),
  failed(/^Your code has been rated at /),
  failing(/^(?<name>\S{1,250}\.pyi?:\d+):\d+:? [EFWCRN]\d{3,4}/),

  runs('golangci-lint', { subcommands: 'run, fmt', silent: true }),
  failed(/^[1-9]\d* issues?:/),
  failed(/^[\w./-]{1,200}\.go:\d+:\d+: .{1,400}\([\w-]+\)$/),
  failed(/^level=error\b/),
  passed(/^0 issues\.?$/),
  failing(/^(?<name>[\w./-]{1,200}\.go:\d+):\d+: .{1,400}\([\w-]+\)$/),
  count(/^(\d+) issues?:/),

  // Type checkers for Python.
  runs('mypy, dmypy, pyright, basedpyright, ty, pyre'),
  failed(/^Found [1-9]\d* errors? in /),
  failed(/^[1-9]\d* errors?, \d+ warnings?/),
  failed(/^Found [1-9]\d* diagnostics?$/),
  failed(/^\S{1,250}\.pyi?:\d+(?::\d+)?: error: /),
  passed(/^Success: no issues found/),
  passed(/^0 errors, \d+ warnings?/),
  passed(/^All checks passed!/),
  failing(/^(?<name>\S{1,250}\.pyi?:\d+)(?::\d+)?:? (?:- )?error: /),
  count(/^(?:Found )?(\d+) errors?/),

  runs('prettier', { needs: '--check, -c, --list-different, -l', silent: true }),
  failed(/^\[warn\] Code style issues found/),
  failed(/^\[error\] /),
  passed(/^All matched files use Prettier code style!/),
  failing(/^\[(?:warn|error)\] (?!Code style)(?<name>\S{1,250}\.\w{1,10})(?::|$)/),
  count(/issues found in (\d+) files/),

  runs('ruff', { subcommands: 'check, format' }),
  failed(/^Found [1-9]\d* errors?(?: \(\d+ fixed, [1-9]\d* remaining\))?\.$/),
  failed(/^\d+ files? would be reformatted/),
  failed(/^(?:error|ruff failed)\b/),
  passed(/^All checks passed!/),
  passed(/^\d+ files? (?:already formatted|left unchanged|reformatted)/),
  passed(/^Found \d+ errors? \(\d+ fixed, 0 remaining\)/),
  failing(/^(?<name>\S{1,250}\.pyi?:\d+):\d+: [A-Z]{1,4}\d{3}/),
  failing(/^--> (?<name>\S{1,250}\.pyi?:\d+):\d+$/),
  failing(/^Would reformat: (?<name>\S{1,250})/),
  count(/^Found (\d+) errors?/),

  runs('tsc, tsgo, vue-tsc, svelte-check, tsup', { idle: '--init, --showConfig, --listFiles, -v', silent: true }),
  failed(/^Found [1-9]\d* errors?\b/),
  failed(/^\S.{0,250}(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) error TS\d+: /),
  failed(/^error TS\d+: /),
  failed(/^svelte-check found [1-9]\d* error/),
  passed(/^(?:Found 0 errors\b|svelte-check found 0 errors)/),
  failing(/^(?<name>\S.{0,250}\(\d+,\d+\)): error TS\d+: /),
  failing(/^(?<name>\S.{0,250}?:\d+):\d+ - error TS\d+: /),
  count(/^Found (\d+) errors?/),

  runs('docker, podman, docker-compose', {
    subcommands:
      'build, buildx build, push, pull, run, compose up, compose build, compose down, compose pull, compose restart, up, down',
    valued: '-f, --file, -p, --project-name, --env-file, --profile, -H, --context',
    silent: true,
  }),
  failed(
    /^(?:ERROR: failed to (?:solve|build)|failed to solve: |Error response from daemon|Error: No such |Cannot connect to the Docker daemon|docker: (?!Using)|error during connect)/,
  ),
  failed(/^ERROR: /),
  failed(/^The command .{1,300} returned a non-zero code: /),
  passed(
    /^(?:Successfully (?:built|tagged) |#\d+ naming to .{1,300} done|#\d+ DONE|\S*: digest: sha256:|Status: (?:Downloaded|Image is up to date))/,
  ),
  passed(/^(?:✔ )?Container \S+\s+(?:Started|Running|Healthy|Removed)/),
  failing(/^> (?<name>\[[^\]]{1,80}\] .{1,150}):$/),

  runs('git', { subcommands: 'commit', valued: '-C, -c, --git-dir, --work-tree', idle: '--dry-run' }),
  failed(
    /^(?:nothing to commit|no changes added to commit|nothing added to commit|Aborting commit|error: (?:Committing|pathspec|gpg)|husky - .{0,60}(?:failed|exited|code))/,
  ),
  failed(/\.{3,}\s{0,4}Failed$/),
  failed(/^fatal: (?!not a valid object)/),
  passed(/^\[[^\]\n]{1,200} (?:\(root-commit\) )?[0-9a-f]{7,40}\] /),
  failing(/^(?<name>\S.{0,100}?)\.{3,}\s{0,4}Failed$/),

  // Git commands that combine changes: merge, rebase, pull and others.
  runs('git', {
    subcommands: 'merge, rebase, pull, cherry-pick, revert, am, apply, stash pop, stash apply, clone',
    valued: '-C, -c, --git-dir, --work-tree',
    idle: '--stat, --abort, --quit, --check',
  }),
  failed(/^CONFLICT \(/),
  failed(/^(?:Automatic merge failed|Rebasing .{0,60}could not apply|error: |fatal: )/),
  passed(
    /^(?:Successfully rebased|Merge made by|Already up[ -]to[ -]date\.?|Fast-forward$|Current branch \S+ is up to date|Squash commit -- not updating|Dropped refs\/stash)/,
  ),
  passed(/^Updating [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}$/),
  passed(/^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] /),
  failing(/^CONFLICT \([^)]{1,60}\): (?:Merge conflict in )?(?<name>\S.{0,250})$/),

  runs('git', { subcommands: 'push', valued: '-C, -c, --git-dir, --work-tree', idle: '--dry-run, -n' }),
  failed(/^(?:remote: .{0,200})?!\s+\[(?:remote )?(?:rejected|failure)\]/),
  failed(/^error: failed to push/),
  failed(/^(?:fatal: |error: |remote: (?:error|fatal|Permission|Invalid)|husky - .{0,60}(?:failed|exited))/),
  passed(/^(?:[+*-]\s+)?[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}\s+\S+\s+->/),
  passed(/^[*+-]\s+\[(?:new (?:branch|tag|reference)|deleted)\]/),
  passed(/^Everything up-to-date/),

  runs('gh', { subcommands: 'pr create, pr merge, pr checks, release create, run watch', valued: '-R, --repo' }),
  failed(/^\S.{0,200}\tfail\t/),
  failed(/^(?:X |GraphQL: |failed to |could not |pull request create failed|a pull request for branch)/),
  passed(/^\S.{0,200}\tpass\t/),
  passed(/^(?:https:\/\/\S{1,200}$|✓ )/),
  failing(/^(?<name>\S[^\t]{0,150})\tfail\t/),

  runs('kubectl, oc, k', {
    subcommands: 'apply, create, delete, rollout status, rollout restart, wait, patch, scale',
    valued: '-n, --namespace, --context, --kubeconfig',
  }),
  runs('helm', { subcommands: 'install, upgrade, uninstall, lint', valued: '-n, --namespace' }),
  failed(/^(?:Error from server|error: |Error: |The connection to the server|Unable to connect to the server)/),
  passed(
    /^(?:deployment "[^"]{1,200}" successfully rolled out|STATUS: deployed|Release "[^"]{1,100}" has been upgraded)/,
  ),
  passed(/^\S{1,250} (?:created|configured|unchanged|deleted|patched|scaled|restarted|condition met)$/),

  // Programs that run a project's targets, such as make.
  runs('make, gmake', {
    valued: '-C, -f, -j, --directory, --file',
    idle: '-n, --dry-run, help',
    target: true,
    silent: true,
    runsOthers: true,
  }),
  runs('just, task, rake, invoke, doit, earthly', { idle: '-l, --list, -T', target: true }),
  runs('mise, poe, moon', { subcommands: 'run, r', target: true }),
  runs('ninja, meson, bazel, buck2, scons', { valued: '-C, -j', target: true }),
  runs('pre-commit, lefthook, prek', { subcommands: 'run' }),
  runs('nix', { subcommands: 'build, flake check' }),
  failed(
    /^(?:g?make(?:\[\d+\])?: \*\*\* |error: Recipe `|task: Failed to run task|ninja: build stopped|rake aborted!|ERROR: Build did NOT complete|\S.{0,80} ERROR task failed$)/,
  ),
  passed(
    /^(?:g?make(?:\[\d+\])?: (?:Nothing to be done for|'[^']{1,100}' is up to date)|ninja: no work to do|INFO: Build completed successfully)/,
  ),
  failing(/^(?<name>\S.{0,100}?)\.{3,}.{0,40}Failed$/),

  // Installation of packages.
  runs('pip, pip3, pipx', { subcommands: 'install, uninstall', silent: true }),
  runs('uv', { subcommands: 'sync, add, lock, pip install, tool install, build, remove' }),
  runs('poetry, pdm, pipenv, rye', { subcommands: 'install, add, update, lock, sync, build, remove' }),
  runs('npm', {
    subcommands: 'install, i, ci, add, publish, audit, update, uninstall, pack, link',
    valued: '--prefix, -w, --workspace, -C',
  }),
  runs('pnpm, yarn, bun', {
    subcommands: 'install, i, add, publish, update, up, remove, audit',
    valued: '--filter, -F, -C, --dir, --cwd',
  }),
  runs('bundle, composer, gem, brew, apt, apt-get, apk, conda, mamba, dnf, yum', {
    subcommands: 'install, update, add, require, upgrade',
  }),
  failed(
    /^(?:npm (?:ERR!|error) (?:code|missing|Missing)|ERR_PNPM_\w+|ERROR: (?:Could not|No matching|Failed|Cannot|Package)|error: (?:externally-managed-environment|subprocess-exited|Failed|Distribution)|YN\d{4}: .{0,20}Failed|E: (?:Unable|Package|Could not|Failed))/,
  ),
  failed(/^(?:npm (?:ERR!|error)|error |error: |ERROR: |× |E: )/),
  passed(
    /^(?:Successfully installed |added \d+ packages?|(?:added|removed|changed|updated) \d+ packages? |up to date|Already up to date|Lockfile is up to date|Installed \d+ packages? in|Resolved \d+ packages? in|Audited \d+ packages?|Requirement already satisfied|Done in [\d.]+|success |No dependencies to install or update|➤ YN0000: (?:·|└) Done|Bundle complete!|\+ \S+@\d)/,
  ),
  passed(/^\d+ packages? installed \[/),

  runs('terraform, tofu', { subcommands: 'plan, apply, destroy, validate, init, fmt', idle: '--list', silent: true }),
  runs('pulumi, cdk, serverless', { subcommands: 'up, preview, destroy, deploy, synth' }),
  runs('ansible-playbook'),
  failed(/^[│╷]?\s{0,4}Error: /),
  failed(/^\S+\s+: ok=\d+.{0,80}(?:unreachable=[1-9]|failed=[1-9])/),
  passed(
    /^(?:Apply complete!|Destroy complete!|Plan: \d+ to add|No changes\.|Success! The configuration is valid|Terraform has been successfully initialized!)/,
  ),
  passed(/^\S+\s+: ok=\d+.{0,40}unreachable=0\s+failed=0/),

  runs('tox, nox', { idle: '-l, --list, --listenvs, list', runsOthers: true }),
  failed(/^(?:evaluation failed|ERROR:\s+\S+: commands failed|nox > Session \S+ failed|nox > \* \S+: failed)/),
  passed(/^(?:congratulations :\)|nox > Session \S+ was successful)/),
  failing(/^(?<name>\S{1,80}): (?:FAIL|commands failed)\b/),
  failing(/^nox > \* (?<name>\S{1,80}): failed/),

  // Package scripts. The tools that they run print the verdict.
  runs('npm', {
    subcommands: 'run, run-script, test, t, tst, start',
    valued: '--prefix, -w, --workspace, -C',
    target: true,
    silent: true,
    runsOthers: true,
  }),
  runs('pnpm', { valued: '--filter, -F, -C, --dir, --reporter, --workspace-concurrency', target: true }),
  runs('yarn', { valued: '--cwd, --top-level', target: true }),
  runs('bun', { subcommands: 'run', valued: '--filter, --cwd', target: true }),
  runs('turbo, nx, lerna', { valued: '--filter, -t, --target, -p', target: true }),
  runs('vite, webpack, rollup, esbuild, next, astro, nuxt, tsdown, parcel, ng', { subcommands: 'build' }),
  runs('composer', { subcommands: 'test, run-script, run' }),
  failed(/^npm (?:ERR!|error) (?:Missing script|missing script|Lifecycle script)/),
  failed(/^(?:ERR_PNPM_\w+|ELIFECYCLE|error Command failed with exit code|error: script "[^"]{1,80}" exited)/),
  failed(/^npm (?:ERR!|error) /),
  failed(/^Failed:\s{1,8}\S+#\S+/),
  failed(
    /^(?:Failed to compile|Build failed|✗ Build failed|Build error occurred|ERROR in |NX\s+(?:Running|Ran) target .{0,100}failed)/,
  ),
  passed(
    /^(?:✓ built in |✔ built in |✓ Compiled successfully|Compiled successfully|built in \d|Done in \d|webpack \S+ compiled successfully|NX\s+Successfully ran target)/,
  ),
];
