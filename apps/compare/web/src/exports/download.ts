/** Offers data to the user as a file. Nothing is sent. */
export function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the data after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
