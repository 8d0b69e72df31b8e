// One picture as a PDF of one page: its pixels without loss, its title and its foot as the document's.

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} dpi pixels of the picture to an inch of the page
 * @param {{title: string, foot: string[]}} shown
 * @returns {Promise<Blob>}
 */
export async function pdf(canvas, dpi, { title, foot }) {
  const { width, height } = canvas;
  const [wide, high] = [width, height].map((count) => ((count * 72) / dpi).toFixed(2));
  const image = await packed(opaque(canvas.getContext("2d").getImageData(0, 0, width, height).data));
  const page = `q ${wide} 0 0 ${high} 0 0 cm /Picture Do Q`;
  const about = [["Title", title], ["Subject", foot.join(" ")]].map(([name, text]) => `/${name} ${written(text)}`);
  const objects = [
    ["<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R`
      + " /Resources << /XObject << /Picture 5 0 R >> >> >>"],
    [`<< /Length ${page.length} >>\nstream\n${page}\nendstream`],
    [`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB`
      + ` /BitsPerComponent 8 /Filter /FlateDecode /Length ${image.length} >>\nstream\n`, image, "\nendstream"],
    [`<< ${about.join(" ")} >>`],
  ];
  const parts = [];
  let length = 0;
  const put = (part) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  // Bytes that are no letters, early on, tell programs that this is no text.
  put("%PDF-1.4\n%");
  put(new Uint8Array([0xe2, 0xe3, 0xcf, 0xd3]));
  const places = objects.map((object, number) => {
    put("\n");
    const place = length;
    for (const part of [`${number + 1} 0 obj\n`, ...object, "\nendobj"]) put(part);
    return place;
  });
  put("\n");
  const table = length;
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}

/** Red, green and blue alone: the ground is painted, so that nothing is seen through. */
function opaque(rgba) {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}

async function packed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A text as PDF has it for every alphabet: UTF-16 in hexadecimal digits. */
function written(text) {
  const units = Array.from({ length: text.length }, (_, place) => text.charCodeAt(place).toString(16).padStart(4, "0"));
  return `<feff${units.join("")}>`;
}
