import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';
import { z } from 'zod';
import { defaultTenantLimits, type Tenant, type TenantLimits } from './tenant.ts';

const countSchema = z.int().min(1);

const limitsSchema = z
  .strictObject({
    requestsPerMinute: countSchema,
    concurrentRequests: countSchema,
    requestBytes: countSchema,
    conversations: countSchema,
  })
  .partial();

/** What `sha256sum` prints for a token in a variable that is not set. */
const ofNothing = `sha256:${createHash('sha256').digest('hex')}`;

const keySchema = z.string().regex(/^\$[A-Za-z_]\w*$/, 'name a variable, such as "$OPENAI_API_KEY", not the key');

const fileSchema = z.strictObject({
  limits: limitsSchema.optional(),
  tenants: z.record(
    z.string().regex(/^[\w.-]{1,64}$/, 'a name has up to 64 letters, digits, "_", "." and "-"'),
    z.strictObject({
      tokens: z
        .array(
          z
            .string()
            .regex(/^sha256:[0-9a-f]{64}$/, 'write "sha256:" and the SHA-256 of the token in hexadecimal')
            .refine((token) => token !== ofNothing, 'this is the SHA-256 of an empty text; was the token not set?'),
        )
        .min(1),
      keys: z
        .strictObject({
          openai: keySchema,
          anthropic: keySchema,
          gemini: keySchema,
          vertex: keySchema,
          bedrock: keySchema,
          ollama: keySchema,
        })
        .partial()
        .optional(),
      ownKeys: z.boolean().optional(),
      limits: limitsSchema.optional(),
    }),
  ),
});

/**
 * Reads the file of `--tokens`.
 * @param env has the provider's keys that the file names
 * @throws {CliError} for a file that cannot be read or is invalid, and for a variable that is not set
 */
export async function readTenants(path: string, env: NodeJS.ProcessEnv): Promise<readonly Tenant[]> {
  const where = `--tokens ${printable(path, 200)}`;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw CliError.badInput(`${where} cannot be read: ${systemReason(error)}`, error);
  });
  const { data, error } = fileSchema.safeParse(parseJson(text, where));
  if (!data) {
    const [issue] = error.issues;
    // The reason why a name is invalid is inside.
    const { message } = issue!.code === 'invalid_key' ? issue!.issues[0]! : issue!;
    throw CliError.badInput(`${where}: ${printable(issue!.path.join('.'), 100)}: ${printable(message, 200)}`);
  }
  const tenants = Object.entries(data.tenants).map(
    ([name, { tokens, keys = {}, ownKeys, limits }]): Tenant => ({
      name,
      tokens: tokens.map((token) => Buffer.from(token.slice('sha256:'.length), 'hex')),
      keys: Object.fromEntries(
        Object.entries(keys as Record<string, string>).map(([upstream, variable]) => [
          upstream,
          variableIn(variable, env, `${where}: ${name}`),
        ]),
      ),
      ownKeys,
      // JSON has no undefined.
      limits: { ...defaultTenantLimits, ...data.limits, ...limits } as TenantLimits,
    }),
  );
  refuseShared(tenants, where);
  return tenants;
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw CliError.badInput(`${where} is not JSON`, error);
  }
}

function variableIn(variable: string, env: NodeJS.ProcessEnv, where: string): string {
  const value = env[variable.slice(1)];
  if (!value) throw CliError.badInput(`${where} names ${variable}, which is not set`);
  return value;
}

/** Refuses a token that two tenants have: it would not say whose request it is. */
function refuseShared(tenants: readonly Tenant[], where: string): void {
  const owners = new Map<string, string>();
  for (const { name, tokens } of tenants)
    for (const token of tokens.map((one) => one.toString('hex'))) {
      const other = owners.get(token);
      if (other !== undefined) throw CliError.badInput(`${where}: ${other} and ${name} have the same token`);
      owners.set(token, name);
    }
}
