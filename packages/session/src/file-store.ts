export { type FileStoreOptions, fileStore } from './persistence/file-store.ts';
