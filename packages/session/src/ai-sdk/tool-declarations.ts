import { asSchema, type ToolSet } from 'ai';

/** Tools as providers are told of them: what they cost is their names, descriptions and schemas. */
export async function declarations(tools: ToolSet | undefined): Promise<readonly unknown[] | undefined> {
  if (!tools) return undefined;
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
      name,
      description,
      parameters: await asSchema(inputSchema).jsonSchema,
    })),
  );
}
