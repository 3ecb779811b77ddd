import { biome } from './families/biome.ts';
import { black } from './families/black.ts';
import { bun } from './families/bun.ts';
import { cargoBuild } from './families/cargo-build.ts';
import { cargoTest } from './families/cargo-test.ts';
import { ctest } from './families/ctest.ts';
import { deno } from './families/deno.ts';
import { docker } from './families/docker.ts';
import { dotnet } from './families/dotnet.ts';
import { eslint } from './families/eslint.ts';
import { flake8 } from './families/flake8.ts';
import { gitCommit } from './families/git-commit.ts';
import { gitMerge } from './families/git-merge.ts';
import { gitPush } from './families/git-push.ts';
import { githubCli } from './families/github-cli.ts';
import { goBuild } from './families/go-build.ts';
import { goTest } from './families/go-test.ts';
import { golangciLint } from './families/golangci-lint.ts';
import { gradle } from './families/gradle.ts';
import { jest } from './families/jest.ts';
import { kubectl } from './families/kubectl.ts';
import { make } from './families/make.ts';
import { maven } from './families/maven.ts';
import { mocha } from './families/mocha.ts';
import { mypy } from './families/mypy.ts';
import { nodeTest } from './families/node-test.ts';
import { packageInstall } from './families/package-install.ts';
import { packageScript } from './families/package-script.ts';
import { phpunit } from './families/phpunit.ts';
import { playwright } from './families/playwright.ts';
import { prettier } from './families/prettier.ts';
import { pytest } from './families/pytest.ts';
import { rspec } from './families/rspec.ts';
import { ruff } from './families/ruff.ts';
import { terraform } from './families/terraform.ts';
import { tox } from './families/tox.ts';
import { typescript } from './families/typescript.ts';
import { unittest } from './families/unittest.ts';
import { vitest } from './families/vitest.ts';
import type { ToolFamily } from './tool-family.ts';

/**
 * All known tool families. To add one, write a file in `families` and list it here. A command belongs to the first that
 * matches.
 */
export const toolFamilies: readonly ToolFamily[] = [
  biome,
  black,
  bun,
  cargoBuild,
  cargoTest,
  ctest,
  deno,
  docker,
  dotnet,
  eslint,
  flake8,
  gitCommit,
  gitMerge,
  gitPush,
  githubCli,
  goBuild,
  goTest,
  golangciLint,
  gradle,
  jest,
  kubectl,
  make,
  maven,
  mocha,
  mypy,
  nodeTest,
  packageInstall,
  phpunit,
  playwright,
  prettier,
  pytest,
  rspec,
  ruff,
  terraform,
  tox,
  typescript,
  unittest,
  vitest,
  // Matches all other commands of package managers.
  packageScript,
];
