import type { Session } from '../session.ts';

/** A tool of a session, with the function that answers its calls. */
export interface SessionTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  readonly call: (input: unknown, signal?: AbortSignal) => Promise<string>;
}

/** The tools of `session.tools()`, such as `recall` and `expand`, for a framework that runs them. */
export async function sessionTools(session: Pick<Session, 'tools' | 'callTool'>): Promise<readonly SessionTool[]> {
  const schemas = await session.tools();
  return schemas.map(({ function: { name, description = '', parameters } }) => ({
    name,
    description,
    parameters: { type: 'object', properties: {}, ...(parameters as { readonly type?: 'object' } | undefined) },
    call: (input, signal) =>
      session.callTool(name, input as Readonly<Record<string, unknown>>, signal ? { signal } : {}),
  }));
}
