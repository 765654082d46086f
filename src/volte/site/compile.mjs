/**
 * Compiles modules by the runtime that will load them, under Node.js:
 *   node compile.mjs RUNTIME ROOM
 * ROOM holds compiling.py, packages.zip and pages.zip, and packages.txt and pages.txt with the names
 * that they import; it then holds python_stdlib.zip, and archives that are compiled.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, room] = process.argv.slice(2);
const bytes = (name) => new Uint8Array(readFileSync(join(room, name)));

const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")));
const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({
  indexURL: runtime,
  packageBaseUrl: runtime,
  lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
  env,
});
python.FS.mkdirTree("/packages");
for (const name of ["packages.zip", "packages.txt", "pages.zip", "pages.txt", "compiling.py"]) {
  python.FS.writeFile(`/packages/${name}`, bytes(name));
}
try {
  python.runPython(`
    import sys
    from pathlib import Path

    sys.path.insert(0, "/packages")
    import compiling

    compiling.main(Path("/packages"))
  `);
} catch (error) {
  // The message alone: else Node.js shows a megabyte of script.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
for (const name of ["packages.zip", "pages.zip", "python_stdlib.zip"]) {
  writeFileSync(join(room, name), python.FS.readFile(`/packages/${name}`));
}
