import { install, isInstalled } from './install.ts';
import { peers } from './peer-list.ts';

for (const { folder } of peers) {
  if (isInstalled(folder)) continue;
  process.stderr.write(`installing ${folder} ...\n`);
  try {
    await install(folder);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${folder}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
