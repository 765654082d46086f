/**
 * Runs a Python script with the files of an exported site, under Node.js:
 *   node alone.mjs RUNTIME SCRIPT
 * RUNTIME is the folder of the site that holds Python for browsers.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, script] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")));
const python = await loadPyodide({
  indexURL: `${runtime}/`,
  stdLibURL: join(runtime, "python_stdlib.zip.txt"),
  packageBaseUrl: runtime,
  lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
});
const packages = new Uint8Array(readFileSync(join(runtime, "packages.zip.txt")));
python.unpackArchive(packages, "zip", { extractDir: "/volte" });
const compiled = "_core.cpython-314-wasm32-emscripten.so";
python.FS.writeFile(`/volte/msgspec/${compiled}`, readFileSync(join(runtime, `${compiled}.txt`)));
try {
  python.runPython(`import sys; sys.path.insert(0, "/volte")\n${readFileSync(script, "utf8")}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
