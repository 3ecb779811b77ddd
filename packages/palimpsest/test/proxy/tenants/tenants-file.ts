import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantLimits } from '../../../src/proxy/tenants/tenant.ts';

/** A tenant as tests write it: with its tokens, not their hashes. */
export interface TestTenant {
  readonly tokens: readonly string[];
  readonly keys?: Readonly<Record<string, string>>;
  readonly ownKeys?: boolean;
  readonly limits?: Partial<TenantLimits>;
}

/** A token as the file of tenants has it. */
function hashed(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`;
}

/** The text of a file of tenants. */
export function tenantsText(tenants: Readonly<Record<string, TestTenant>>): string {
  const entries = Object.entries(tenants).map(([name, { tokens, ...rest }]) => [
    name,
    { ...rest, tokens: tokens.map(hashed) },
  ]);
  return JSON.stringify({ tenants: Object.fromEntries(entries) });
}

/** Writes a file of tenants into a new folder. @returns its path */
export function tenantsFile(tenants: Readonly<Record<string, TestTenant>>): string {
  const path = join(mkdtempSync(join(tmpdir(), 'palimpsest-tenants-')), 'tenants.json');
  writeFileSync(path, tenantsText(tenants));
  return path;
}
