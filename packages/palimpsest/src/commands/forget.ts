import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { isOpeningKey, tenantEnd } from '../conversations/opening.ts';
import { openStore } from './open-store.ts';

/** Shortest beginning of an id that names a conversation. The live view shows as many characters. */
const minIdLength = 8;

interface ForgetFlags {
  readonly store: string;
  readonly tenant?: string;
}

/** `palimpsest forget`: deletes conversations from the store of a proxy. */
export function addForget(program: Command, terminal: Terminal): void {
  program
    .command('forget')
    .summary('delete conversations from the store of a proxy')
    .description(
      'Delete what is stored of conversations, or all that is stored of a tenant. Running proxies drop it, too. End the agents as well: an agent that keeps running sends its history again, and it is stored again.',
    )
    .argument('[conversations...]', `ids, or at least the first ${minIdLength} characters of each`)
    .requiredOption('--store <where>', 'the store: a folder, redis://… or postgres://…')
    .option('--tenant <name>', 'delete everything of this tenant')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest forget 9f2c41d7 --store redis://127.0.0.1:6379
  palimpsest forget --tenant acme --store postgres://palimpsest@db/palimpsest`,
    )
    .action(async (given: readonly string[], { store: where, tenant }: ForgetFlags) => {
      if (given.length > 0 === (tenant !== undefined))
        throw CliError.badUsage('forget: name conversations, or a tenant with --tenant');
      if (!where.includes('://') && !existsSync(resolve(terminal.cwd, where)))
        throw CliError.badInput(`forget: there is no store in ${printable(where)}; nothing was deleted`);
      const store = await openStore(where, terminal.cwd);
      try {
        const stored = await store.ids();
        const ids = tenant === undefined ? given.map((id) => findId(id, stored)) : idsOfTenant(tenant, stored);
        for (const id of ids) await store.sessions.delete(id);
        terminal.out(
          tenant === undefined
            ? `forgot ${formatCount(ids.length, 'conversation')}\n`
            : `forgot the tenant ${tenant}: ${formatCount(ids.length, 'entry', 'entries')}\n`,
        );
      } finally {
        await store.close();
      }
    });
}

function findId(given: string, stored: readonly string[]): string {
  const shown = printable(given, 60);
  if (given.length < minIdLength)
    throw CliError.badUsage(`forget: "${shown}" is too short; give at least ${minIdLength} characters of the id`);
  const [id, ...others] = stored.filter((one) => one.startsWith(given) && !isOpeningKey(one));
  if (id === undefined) throw CliError.badInput(`forget: the store has no conversation ${shown}; nothing was deleted`);
  if (others.length > 0)
    throw CliError.badInput(`forget: ${others.length + 1} conversations begin with ${shown}; nothing was deleted`);
  return id;
}

function idsOfTenant(tenant: string, stored: readonly string[]): readonly string[] {
  const end = tenantEnd(tenant);
  const ids = stored.filter((id) => id.endsWith(end));
  if (ids.length > 0) return ids;
  throw CliError.badInput(`forget: the store has nothing of the tenant ${printable(tenant, 64)}`);
}
