// Whatever stands in front of somebody who must be seen is drawn through a sieve.
uniform vec4 kept[2];    // middle and radius in pixels, depth: nearer is in the way; radius 0 for nobody

bool is_sifted() {
    ivec2 at = ivec2(gl_FragCoord.xy) % 2;
    for (int i = 0; i < 2; i++) {
        float off = distance(gl_FragCoord.xy, kept[i].xy) / max(kept[i].z, 1e-3);
        if (off < 1. && gl_FragCoord.z < kept[i].w && (off < .85 ? at.x + at.y > 0 : at.x != at.y)) return true;
    }
    return false;
}
