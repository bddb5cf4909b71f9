/** Folders of other people's code, caches and version control: never one's own sources. */
export const VENDORED_FOLDERS: ReadonlySet<string> = new Set(
  `node_modules bower_components jspm_packages vendor vendored _vendor third_party third-party thirdparty Godeps Pods
   Carthage site-packages elm-stuff .git .svn .hg .venv venv virtualenv __pycache__ .tox .nox .mypy_cache .pytest_cache
   .ruff_cache .gradle .terraform .next .nuxt .svelte-kit .cache .yarn .pnpm-store .bundle .eggs`.split(
    /\s+/,
  ),
);

/**
 * Folders that builders write, but that people also use for sources: classified by their content.
 */
export const OUTPUT_FOLDERS: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'target']);

/** Files that mark an output folder in the same folder as build output. */
export const BUILD_MANIFESTS: ReadonlySet<string> = new Set(
  `package.json bower.json composer.json pom.xml build.gradle build.gradle.kts build.sbt Cargo.toml pyproject.toml setup.py
   CMakeLists.txt Makefile`.split(/\s+/),
);

/** Files of which a folder of build output exclusively consists. */
export const OUTPUT_FILE =
  /\.(?:[cm]?js|css|map|html?|json|d\.[cm]?ts|txt|md|wasm|class|jar|war|o|a|so|dll|exe|whl|gz|tgz|zip|svg|png|jpe?g|gif|ico|webp|woff2?|ttf|eot|otf)$/i;

/** Files that only a builder creates. */
export const BUILDER_TRACE =
  /\.(?:map|min\.[cm]?js|min\.css|d\.[cm]?ts|class|jar|war|o|a|so|dll|whl)$/i;

/** Files of package managers. */
export const LOCK_FILES: ReadonlySet<string> = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock composer.lock Gemfile.lock
   Cargo.lock poetry.lock pdm.lock uv.lock Pipfile.lock go.sum go.work.sum flake.lock mix.lock rebar.lock pubspec.lock
   Podfile.lock Package.resolved packages.lock.json project.assets.json gradle.lockfile .terraform.lock.hcl conan.lock
   MODULE.bazel.lock`.split(/\s+/),
);

/**
 * Names that generators give their output; an include pattern must contain the match itself to
 * select it.
 */
export const GENERATED_NAME =
  /(?:\.pb\.(?:go|cc|h|gw\.go|swift|dart)|_pb2(?:_grpc)?\.pyi?|_(?:grpc_)?pb\.(?:js|d\.ts|rb)|\.g\.(?:dart|cs|i\.cs)|\.freezed\.dart|\.designer\.(?:cs|vb)|_generated\.(?:go|h|rs|ts)|zz_generated[^/]*\.go|\.snap|\.map)$/i;

export const MINIFIED_NAME = /(?:[.-]min\.(?:js|mjs|cjs|css))$/i;

/**
 * Names of files that are never text, or not text that this service can read (PDF and office files
 * are separate sources).
 */
export const BINARY_NAME = new RegExp(
  `\\.(?:${`7z a aac apk ar avi avif bin blend bmp br bz2 class cur dat db dex dll dmg doc docx dylib egg eot epub exe fbx
    flac flv gif glb gz heic icns ico iso jar jks jpeg jpg keystore ko la lib lz4 lzma m4a m4v mid mkv mo mov mp3 mp4 mpg
    msi node npy npz o obj odp ods odt ogg ogv onnx otf p12 parquet pb pdb pdf pfx pickle pkl png ppt pptx psd pyc pyd pyo
    rar rlib rpm safetensors so sqlite sqlite3 swf tar tgz tif tiff ttf wasm wav webm webp whl wmv woff woff2 xls xlsx xz
    zip zst`
    .split(/\s+/)
    .join('|')})$`,
  'i',
);
